// Numbers in words: "1 document", "1,204 documents".

export const count = (number, thing) =>
  `${number.toLocaleString("en")} ${thing}${number === 1 ? "" : "s"}`;
