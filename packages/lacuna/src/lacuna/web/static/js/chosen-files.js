// The files that a person chose or dropped, folders and all, each with its path.

const UNKNOWN = "no file of this kind can be read";
const SHOWN = /\.(png|jpe?g|gif|webp)$/i;
const PICTURE = /\.(png|jpe?g|gif|webp|svg|bmp|ico|tiff?|heic|avif)$/i; // as corpus/page.py has them

const isHidden = (path) => path.split("/").some((part) => part.startsWith("."));

// Of an input: a picked folder gives every file its path in it.
export const pickedFiles = (input) =>
  [...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));

// Of a drop; the entries must be taken before anything is waited for.
export async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, path: file.name }));
  return (await Promise.all(entries.map((entry) => filesIn(entry)))).flat();
}

export async function filesIn(entry, above = "") {
  const path = above + entry.name;
  if (entry.isFile) {
    const file = await new Promise((done, failed) => entry.file(done, failed));
    return [{ file, path }];
  }
  if (isHidden(path)) return [];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return found; // it gives a hundred at a time, then none
    for (const inner of some) found.push(...(await filesIn(inner, `${path}/`)));
  }
}

// What is worth sending, and what is not, with the reason; what programs keep for themselves is neither.
// Pictures go along as far as there is room, bytes and places, beside what can be read; no text is
// expected of them, so none counts as unread.
export function sorted(chosen, suffixes, bytes, places) {
  const known = ({ path }) => suffixes.some((suffix) => path.toLowerCase().endsWith(suffix));
  const seen = chosen.filter(({ path }) => !isHidden(path));
  const taken = seen.filter(known);
  const skipped = [];
  let room = bytes - sizeOf(taken);
  for (const one of seen.filter((one) => !known(one))) {
    if (taken.length > 0 && SHOWN.test(one.path) && one.file.size <= room && taken.length < places) {
      taken.push(one);
      room -= one.file.size;
    } else if (!PICTURE.test(one.path)) skipped.push({ where: one.path, reason: UNKNOWN });
  }
  return { taken, skipped };
}

export const sizeOf = (files) => files.reduce((sum, { file }) => sum + file.size, 0);
