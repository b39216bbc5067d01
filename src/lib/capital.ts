/** A word of a sentence; everything else in first place (`https://…`, `shop.example`, `127.0.0.1`, `line_items`, `productId`) is called so, and not otherwise. */
const WORD = /^\p{L}[\p{Ll}'’-]*[,;:.!?)]*(?=\s|$)/u;
/** The one host that looks like a word. */
const HOST = /^localhost\b/;

/** A clause with the capital of a sentence's beginning, unless it begins with an address or an identifier. */
export function capital(words: string): string {
  return WORD.test(words) && !HOST.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : words;
}
