import { allowedStyle, isAllowedAttribute, isAllowedTag } from './allowed-html.ts';
import { withoutControls } from './text.ts';

/** Comments, what goes with its content, and tags, in which neither begins. */
const BEGINNING =
  /<!--(-?>)?|<(script|style|noscript|template|object|applet)\b[^>]*(?:>|$)|<[a-zA-Z/](?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
/** (Without its end a name would be tried at each of its lengths.) */
const CLOSING_TAG = /<\/([a-zA-Z][a-zA-Z0-9:-]*)(?![a-zA-Z0-9:-])[^<>]*>/g;
/** One whose quotes do not add up (`<a href="x"">`) ends, as a browser has it, with the next ">". */
const TAG = /<([a-zA-Z][a-zA-Z0-9:-]*)(?![a-zA-Z0-9:-])((?:[^<>"']|"[^"]*"|'[^']*')*|[^<>]*)>/g;
const IN_QUOTES = /^(?:[^"']|"[^"]*"|'[^']*')*$/;
/** Stands in no text that is without control characters. */
const NO_COMMENT = '\u0000';
/** Comments, declarations and tags; what is between them is text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is `NO_COMMENT`, which marks what is no comment because no text has it
const MARKUP = /(<!--[\s\S]*?-->|<(?:\/|!(?!\u0000))[^<>]*>|<[a-zA-Z](?:[^<>"']|"[^"]*"|'[^']*')*>)/;
/** `<?php ... ?>`, `<!DOCTYPE ...>`, `</>`: they show nowhere, and WordPress can take the tags after them for text. */
const SHOWS_NOWHERE = /<(?:\?|!(?!--)|\/(?![a-zA-Z]))[^<>]*>/g;
/** Names and values, or something without a name: it goes on from where the last one ended, or white space would be gone through from each of its signs. */
const ATTRIBUTE = /([\s/]*)(?:([^\s=/"'<>]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]*))?|"[^"]*"|'[^']*'|=|$)/g;
/** The same where quotes do not add up. */
const ATTRIBUTE_WITH_VALUE = /(?<!\s)\s+[^\s=/"'<>]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/g;
const ADDRESS_ATTRIBUTES = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'poster',
  'cite',
  'background',
  'longdesc',
  'usemap',
  'xlink:href',
]);
/** `wp_allowed_protocols`. Of `data:` WordPress knows nothing, whatever it holds. */
const SCHEMES = new Set(
  'http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp webcal urn'.split(
    ' ',
  ),
);
const COLON = /:|&#0*58;?|&#x0*3a;?|&colon;/i;

/** Past this the text is made to attack us: its markup is turned into text. */
const ROUNDS_MAX = 16;

/**
 * HTML without what could run in a visitor's browser, and without what WordPress drops: Shopify keeps scripts, event
 * handlers and frames as they are. WordPress' own filter would take the `<script>` tags away and leave their text
 * standing on the page, so this is done before. What stays, stays as it is but for the quotes of values.
 */
export function sanitiseHtml(html: string): string {
  let clean = withoutControls(html);
  // Taking something out can join the halves of something else ("<scr<script></script>ipt>").
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const whole = withoutHidden(clean).replace(SHOWS_NOWHERE, '');
    const next = whole === clean ? whole.replace(CLOSING_TAG, cleanClosingTag).replace(TAG, cleanTag) : whole;
    if (next === clean) return withPlainSigns(clean);
    clean = next;
  }
  return clean.replace(/</g, '&lt;');
}

/**
 * Scripts and their like, whatever they hold. One that nothing ends goes on to the end, as in browsers. (WordPress 6.9.1 drops its tag and keeps the text
 * behind the next ">".) Comments go where they hold markup: WordPress makes text of their ends, so that all shows, or takes what follows for a part of them.
 */
function withoutHidden(html: string): string {
  const beginning = new RegExp(BEGINNING);
  const lastEnd = html.lastIndexOf('-->');
  let kept = '';
  let from = 0;
  for (let found = beginning.exec(html); found !== null; found = beginning.exec(html)) {
    const [whole, closed, tag] = found;
    const isComment = whole.startsWith('<!--');
    // Looked for only where there is an end: each of many that nothing ends would be looked for it through all that follows.
    if (!(isComment ? closed !== undefined || lastEnd > found.index : tag !== undefined)) continue;
    const end =
      closed !== undefined
        ? beginning.lastIndex
        : endOf(html, isComment ? /-->/g : closingOf(tag ?? ''), beginning.lastIndex);
    const all = html.slice(found.index, end);
    kept += html.slice(from, found.index) + (isComment && /^<!--[^<>]*-->$/.test(all) ? all : '');
    from = end;
    beginning.lastIndex = end;
  }
  return kept + html.slice(from);
}

function closingOf(tag: string): RegExp {
  return new RegExp(`</${tag}\\s*>`, 'gi');
}

function endOf(html: string, closing: RegExp, from: number): number {
  closing.lastIndex = from;
  return closing.test(html) ? closing.lastIndex : html.length;
}

/**
 * "5 < 6" and "7 > 6" as WordPress writes them. What stands between such signs it takes for a tag that it doesn't know, and drops: "4 < 5 and 7 > 6" would
 * become "4  6".
 */
function withPlainSigns(html: string): string {
  // What begins a comment after the last end of one begins none: each would be looked for its end through all that follows, and WordPress ends it with the text.
  const end = html.lastIndexOf('-->') + 1;
  return `${html.slice(0, end)}${html.slice(end).replaceAll('<!--', `<!${NO_COMMENT}--`)}`
    .split(MARKUP)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/</g, '&lt;').replace(/>/g, '&gt;')))
    .join('')
    .replaceAll(NO_COMMENT, '');
}

function cleanClosingTag(whole: string, name: string): string {
  return isAllowedTag(name) ? whole : '';
}

function cleanTag(whole: string, tag: string, attributes: string): string {
  if (!isAllowedTag(tag)) return '';
  const sound = IN_QUOTES.test(attributes) ? attributes : withValues(attributes);
  const seen = new Set<string>();
  let end = 0;
  let kept = '';
  for (const { 0: text, 1: space = '', 2: name, 3: value, index } of sound.matchAll(ATTRIBUTE)) {
    if (text === space) break;
    end = index + text.length;
    if (name === undefined) continue;
    const lower = name.toLowerCase();
    // The first of a name counts, in browsers and in WordPress.
    if (seen.has(lower)) continue;
    seen.add(lower);
    kept += cleanAttribute(tag, /^\s+$/.test(space) ? text : ` ${text.slice(space.length)}`, name, value);
  }
  const rest = sound.slice(end);
  if (/^\s*(?:\/\s*)?$/.test(rest)) kept += rest;
  return kept === attributes ? whole : `<${tag}${kept}>`;
}

function cleanAttribute(tag: string, text: string, name: string, value: string | undefined): string {
  if (!isAllowedAttribute(tag, name)) return '';
  const lower = name.toLowerCase();
  if (lower === 'style') return cleanStyle(text, value ?? '');
  return withPlainValue(
    ADDRESS_ATTRIBUTES.has(lower) ? cleanAddress(text, name, value) : withDoubleQuotes(text, name, value),
  );
}

/** Those of a tag that have a value, without a quote that stands alone. */
function withValues(attributes: string): string {
  return (attributes.match(ATTRIBUTE_WITH_VALUE) ?? []).join('');
}

function cleanStyle(text: string, value: string): string {
  const style = value.replace(/^["']|["']$/g, '');
  const pieces = style.split(';').map((piece) => piece.trim());
  const kept = allowedStyle(style);
  if (kept === '') return '';
  if (kept === pieces.filter((piece) => piece !== '').join(';')) return withDoubleQuotes(text, 'style', value);
  return ` style="${kept.replaceAll('"', "'")}"`;
}

/** WordPress takes a ">" for the end of its tag, also in quotes. (What may be the end of a comment stays one.) */
function withPlainValue(attribute: string): string {
  return attribute.includes('-->') ? attribute : attribute.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Newer versions of WordPress write every value so. */
function withDoubleQuotes(text: string, name: string, value: string | undefined): string {
  if (value === undefined || value.startsWith('"')) return text;
  const bare = value.replace(/^'|'$/g, '');
  return bare.includes('"') ? text : ` ${name}="${bare}"`;
}

/**
 * An address with a scheme that WordPress does not know loses that there ("image/png;base64,..." is left of a picture), and shows nothing: it goes as a whole.
 * What stands before the first ":" is the scheme, also "/colours/red" or "#a", save what has "/?" in it. One that it knows is written small, without a space.
 */
function cleanAddress(text: string, name: string, value: string | undefined): string {
  const bare = (value ?? '').replace(/^["']|["']$/g, '');
  const plain = knownAddress(bare);
  if (plain === null) return '';
  if (plain === bare) return withDoubleQuotes(text, name, value);
  return plain.includes('"') ? ` ${name}='${plain}'` : ` ${name}="${plain}"`;
}

function knownAddress(address: string): string | null {
  const colon = /^https?:\/\//.test(address) ? null : COLON.exec(address);
  const head = address.slice(0, colon?.index);
  if (colon === null || head.includes('/?')) return address;
  const scheme = withoutHiding(head);
  const rest = address.slice(colon.index + colon[0].length).trim();
  // This one alone can stand before another.
  const plain = scheme === 'feed' ? knownAddress(rest) : rest;
  return SCHEMES.has(scheme) && plain !== null ? `${scheme}:${plain}` : null;
}

/** Browsers ignore white space, control characters and entities inside the scheme. */
function withoutHiding(scheme: string): string {
  return (
    scheme
      .replace(/&#(?:x([0-9a-f]+)|(\d+));?/gi, (_whole, hex, decimal) =>
        String.fromCodePoint(Math.min(0x10ffff, hex ? Number.parseInt(hex, 16) : Number(decimal))),
      )
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what hides a scheme
      .replace(/[\u0000-\u0020\u007f-\u00a0]/g, '')
      .toLowerCase()
  );
}
