#!/usr/bin/env bash
# A first look: a file of questions that their text only partly answers, and how answers are scored.
set -euo pipefail
cd "$(dirname "$0")"

say() { printf '\n%s\n' "$*"; }
run() { printf '\n$ %s\n' "$*"; "$@"; }

say "1. A paragraph leaves things out: some questions need a linked article, some have no answer."
run lacuna data check iirc iirc.json

say "2. A system's answers, scored as IIRC's authors do. Mind the last column: a system that"
say "   always says \"none\" gets that much, so only what lies above it was earned."
run lacuna score iirc iirc.json iirc_predictions.json

say "3. Other gaps: a dialog that assumes what was said before, an answer that needs two paragraphs,"
say "   a choice that needs a fact. Each has its official scores."
run lacuna score quac quac.json quac_predictions.jsonl
run lacuna score hotpotqa hotpotqa.json hotpotqa_predictions.json
run lacuna score openbookqa openbookqa.jsonl openbookqa_predictions.csv

say "4. Your own linked notes become a corpus that can be searched and walked along its links:"
corpus="$(mktemp -d)/islands"
run lacuna index notes --out "$corpus"
run lacuna search "$corpus" "who taught at the pilots' school" -k 2
run lacuna corpus path "$corpus" "Stony Tarn" "Ada Quill"
run lacuna corpus links "$corpus" Marrow

say "5. A file of the wrong dataset is recognised, not misread:"
run lacuna data check squad quac.json || true

say "Next: put your own files in place of these, or get the official ones: lacuna data fetch --help"
