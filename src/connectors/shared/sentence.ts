/** A clause, as errors are worded, as a sentence of its own. */
export function sentence(words: string): string {
  const text = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
