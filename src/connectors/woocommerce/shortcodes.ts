import { isBlockTag } from './paragraphs.ts';

/**
 * What of a description only WordPress can show: shortcodes (`[contact-form-7 id="4"]`), in whose place its plugins put something, and the marks of
 * its block editor. Elsewhere a shortcode is a riddle in the text, so it is read as what it encloses; and a text from elsewhere never takes the place
 * of one that has either.
 */

/** A tag, inside of which a bracket is part of an address; or a pair of brackets, with those that escape it. */
const TAG_OR_BRACKETS = /<[a-zA-Z/!][^<>]*>|\[?\[[^[\]]*\]\]?/g;
const TAG_OR_BRACKET = /<[a-zA-Z/!][^<>]*>|\[/g;
/** Slash of a closing one, name, attributes. */
const SHORTCODE = /^\[?\[(\/?)([a-zA-Z][a-zA-Z0-9_-]*)((?:[\s/][^[\]]*)?)\]\]?$/;
const ATTRIBUTE = /\s[a-zA-Z][\w-]*=\S/;
const BLOCK_MARK = /<!--\s*\/?wp:[\s\S]*?(?:-->|$)/g;
/** Marks around marks that are taken away; what is left after that is text. */
const NESTED_MAX = 16;

/** Those of WordPress and WooCommerce that are used by their name alone. */
const KNOWN = /^(?:audio|caption|embed|gallery|playlist|products?|video)$/;

/** They hold one thing of a list or a table, or a heading: a word that stands alone in them is a word. */
const HOLDS_WORDS = /^(?:caption|d[dt]|figcaption|h[1-6]|legend|li|pre|summary|t[dh])$/;
const TAG_NAME = /^<(\/?)([a-zA-Z][a-zA-Z0-9]*)/;
const TAG_CHARS_MAX = 2_000;
const BLANK = /[ \t\r]/;

/** Stands where a shortcode was, until it is known whether its paragraph holds anything else. */
const HOLE = '\uffff';
const EMPTIED = new RegExp(`<p(?:\\s[^<>]*)?>\\s*(?:${HOLE}\\s*)+</p>`, 'gi');

/** Whether WordPress makes something of this text that is not in it. */
export function isForWordPressAlone(stored: string): boolean {
  return stored.search(BLOCK_MARK) >= 0 || eachShortcode(stored, () => HOLE) !== stored;
}

/** A stored description as another shop can show it: what shortcodes enclose stays, they go. */
export function withoutShortcodes(stored: string): string {
  const text = withoutBlockMarks(stored);
  const holed = eachShortcode(text, () => HOLE);
  return holed === text ? text : holed.replace(EMPTIED, '').replaceAll(HOLE, '');
}

/** A text without the marks of blocks: they show nothing, wherever they stand. What stands around one may be one when it is gone. */
export function withoutBlockMarks(html: string): string {
  let text = html;
  for (let depth = 0; depth < NESTED_MAX; depth += 1) {
    const bare = text.replace(BLOCK_MARK, '');
    if (bare === text) break;
    text = bare;
  }
  return text;
}

/** A text from elsewhere, such that WordPress shows its brackets as they are and takes it for no work of its own editor. */
export function withPlainBrackets(html: string): string {
  const text = html.replace(BLOCK_MARK, (mark) => mark.replace(/</g, '&lt;').replace(/>/g, '&gt;'));
  if (eachShortcode(text, () => HOLE) === text) return text;
  // All of them: with one that is none any more the bracket before it would find another end.
  return text.replace(TAG_OR_BRACKET, (found) => (found === '[' ? '&#091;' : found));
}

/**
 * WordPress knows by its plugins what is a shortcode, and tells nobody. Words in brackets ("sizes [M] and [L]", "[new] cut") are text, and travel as
 * they are: a shortcode is what has attributes, ends itself, is closed further on, has an underscore in its name, or stands alone in its paragraph.
 */
function eachShortcode(text: string, make: (tag: string) => string): string {
  if (!text.includes('[')) return text;
  const closed = new Set<string>();
  for (const [found] of text.matchAll(TAG_OR_BRACKETS)) {
    const [, slash, name = ''] = SHORTCODE.exec(found) ?? [];
    if (slash === '/' && !isEscaped(found)) closed.add(name);
  }
  return text.replace(TAG_OR_BRACKETS, (found: string, at: number) => {
    const parts = SHORTCODE.exec(found);
    if (parts === null || isEscaped(found)) return found;
    const [, slash, name = '', attributes = ''] = parts;
    const isCertain =
      attributes.trimEnd().endsWith('/') || ATTRIBUTE.test(attributes) || /_/.test(name) || KNOWN.test(name);
    const isBare = attributes.trim() === '' && /^[a-z][a-z0-9-]{2,}$/.test(name);
    const isOne = closed.has(name) || (slash === '' && (isCertain || (isBare && isAlone(text, at, at + found.length))));
    if (!isOne) return found;
    const [before, after] = [found.startsWith('[[') ? '[' : '', found.endsWith(']]') ? ']' : ''];
    return `${before}${make(found.slice(before.length, found.length - after.length))}${after}`;
  });
}

/** "[[gallery]]" is WordPress' own way to speak of one. */
function isEscaped(found: string): boolean {
  return found.startsWith('[[') && found.endsWith(']]');
}

/** Whether nothing else stands in the line or paragraph of what stands between `start` and `end`. */
function isAlone(text: string, start: number, end: number): boolean {
  let from = start;
  while (from > 0 && BLANK.test(text.charAt(from - 1))) from -= 1;
  let to = end;
  while (to < text.length && BLANK.test(text.charAt(to))) to += 1;
  const [before, after] = [text.charAt(from - 1), text.charAt(to)];
  const opening = before === '>' ? tagBefore(text, from) : '';
  const closing = after === '<' ? text.slice(to, to + TAG_CHARS_MAX) : '';
  const isWord = HOLDS_WORDS.test(nameOf(opening, '')) && nameOf(opening, '') === nameOf(closing, '/');
  return !isWord && isEdge(before, opening) && isEdge(after, closing);
}

/** Whether a line or a paragraph begins or ends at this character, the first or last of `tag` where it is one's. */
function isEdge(char: string, tag: string): boolean {
  const name = nameOf(tag, '') || nameOf(tag, '/');
  return char === '' || char === '\n' || tag.startsWith('<!--') || name === 'br' || isBlockTag(name);
}

/** The name of a tag that opens ('') or closes ('/'); '' where it is none of these. */
function nameOf(tag: string, slash: '' | '/'): string {
  const [, own, name = ''] = TAG_NAME.exec(tag) ?? [];
  return own === slash ? name.toLowerCase() : '';
}

/** The tag or comment that ends here; '' where it is a text that does. */
function tagBefore(text: string, end: number): string {
  const near = text.slice(Math.max(0, end - TAG_CHARS_MAX), end);
  const start = near.lastIndexOf('<');
  const tag = start < 0 ? '' : near.slice(start);
  return tag.startsWith('<!--') || tag.indexOf('>') === tag.length - 1 ? tag : '';
}
