import { plainText } from '../../src/lib/plain-text.ts';

/** Tags and entities of a description are noise in a table. */
export function textOfHtml(html: string): string {
  return plainText(html);
}
