/** What a spreadsheet begins to reckon at, wide letters included; some look past blanks before it. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r]/;

/** One line of a table as RFC 4180 has it, without its end. What would be a formula in a spreadsheet gets an apostrophe in front, which makes it a text. */
export function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(',');
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
