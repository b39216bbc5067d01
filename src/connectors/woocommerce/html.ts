import { allowedStyle, isAllowedAttribute, isAllowedTag } from './allowed-html.ts';
import { withoutControls } from './text.ts';

/** One that nothing ends goes on to the end, as in browsers. (WordPress 6.9.1 drops its tag and keeps the text behind the next ">".) */
const DROPPED_WITH_CONTENT = /<(script|style|noscript|template|object|applet)\b[^>]*(?:>|$)[\s\S]*?(?:<\/\1\s*>|$)/gi;
const CLOSING_TAG = /<\/([a-zA-Z][a-zA-Z0-9-]*)[^<>]*>/g;
/** One whose quotes do not add up (`<a href="x"">`) ends, as a browser has it, with the next ">". */
const TAG = /<([a-zA-Z][a-zA-Z0-9-]*)((?:[^<>"']|"[^"]*"|'[^']*')*|[^<>]*)>/g;
const IN_QUOTES = /^(?:[^"']|"[^"]*"|'[^']*')*$/;
/** Comments, declarations and tags; what is between them is text. */
const MARKUP = /(<!--[\s\S]*?-->|<[/!][^<>]*>|<[a-zA-Z](?:[^<>"']|"[^"]*"|'[^']*')*>)/;
/** Stands in no text that is without control characters. */
const NO_COMMENT = '\u0000';
/** `<?php ... ?>`, `<!DOCTYPE ...>`, `</>`: they show nowhere, and WordPress can take the tags after them for text. */
const SHOWS_NOWHERE = /<(?:\?|!(?!--)|\/(?![a-zA-Z]))[^<>]*>/g;
const ATTRIBUTE = /\s+([^\s=/"'<>]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g;
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
    const whole = clean.replace(DROPPED_WITH_CONTENT, '').replace(SHOWS_NOWHERE, '');
    const next = whole === clean ? whole.replace(CLOSING_TAG, cleanClosingTag).replace(TAG, cleanTag) : whole;
    if (next === clean) return withPlainSigns(clean);
    clean = next;
  }
  return clean.replace(/</g, '&lt;');
}

/**
 * "5 < 6" and "7 > 6" as WordPress writes them. What stands between such signs it takes for a tag that it doesn't know, and drops: "4 < 5 and 7 > 6" would
 * become "4  6".
 */
function withPlainSigns(html: string): string {
  // What begins a comment after the last end of one begins none: each would be looked for its end through all that follows.
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
  const kept = sound.replace(ATTRIBUTE, (text: string, name: string, value: string | undefined) => {
    if (!isAllowedAttribute(tag, name)) return '';
    const lower = name.toLowerCase();
    if (lower === 'style') return cleanStyle(text, value ?? '');
    return withPlainValue(
      ADDRESS_ATTRIBUTES.has(lower) ? cleanAddress(text, name, value) : withDoubleQuotes(text, name, value),
    );
  });
  return kept === attributes ? whole : `<${tag}${kept}>`;
}

/** Those of a tag that have a value, without a quote that stands alone. */
function withValues(attributes: string): string {
  return (attributes.match(ATTRIBUTE) ?? []).filter((text) => text.includes('=')).join('');
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
