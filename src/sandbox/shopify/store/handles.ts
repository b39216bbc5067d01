/** Handle rules of section 7 of the facts: trimmed, lower-cased, punctuation becomes "-", letters of any script stay. */
export function handleFrom(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/** A generated handle that is taken gets -1, -2 …; a trailing number is raised instead. */
export function freeHandle(wanted: string, isTaken: (handle: string) => boolean): string {
  const base = wanted === '' ? 'product' : wanted;
  if (!isTaken(base)) return base;
  const numbered = /^(.*)-(\d+)$/.exec(base);
  const stem = numbered?.[1] ?? base;
  for (let number = numbered ? Number(numbered[2]) + 1 : 1; ; number += 1) {
    const candidate = `${stem}-${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}
