#!/usr/bin/env bash
# Four questions, asked of the demo corpus. The README shows two of them: change both, then run
# `make transcripts`.
# Give it the command that starts Lacuna, if that is another: it is shown as it is run.
set -euo pipefail
lacuna="${1:-lacuna}"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT

say() { printf '\n%s\n' "$*"; }
ask() {
  printf '\n$ %s ask "%s"%s\n' "$lacuna" "$1" "${3:+ $2 $3}"
  "$lacuna" ask "$@" 2>"$log" || { cat "$log" >&2; exit 1; }  # the note on the corpus is said below
}

say "75 linked articles tell of the Selmory Islands, which do not exist: nothing about them can be
known beforehand. The first question is asked of the article Torrow. It says neither when the
woman was born nor when the strike began: both stand behind its links."
ask "How old was the island's best-known native when the strike that she led began?" --in Torrow

say "Of the whole corpus, over two articles:"
ask "Who was the first governor of the bank that paid for the Skelder Light Railway?"

say "Yes or no:"
ask "Had the Bank of Selmory existed for more than forty years when the Skelder Light Railway was opened?"

say "And what nobody wrote down is not made up:"
ask "What is the name of the girl in The Salt Road?"

say "Now ask yourself: in the browser, at the terminal, or of your own documents:

  $lacuna serve
  $lacuna chat
  $lacuna ask \"Who was the first master of the Marrow?\" --corpus examples/notes"
