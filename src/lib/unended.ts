/** What somebody else said, to go on with: without the full stop that it may end with. */
export function unended(text: string): string {
  return text.replace(/[\s.]+$/, '');
}
