/** What WordPress does to text on its way in and out, and how to get through it without loss. */

/** Those of Latin-1 from 160 on, which imports from older shop systems leave in titles ("Caf&eacute;"). */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

/** Named entities that WordPress, its texturiser and its plugins store inside plain text. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN_1.split(' ').map((name, index) => [name, String.fromCharCode(160 + index)] as const),
  ...Object.entries({
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", hellip: '…', ndash: '–', mdash: '—' },
    ...{ lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„', lsaquo: '‹', rsaquo: '›' },
    ...{ trade: '™', euro: '€', bull: '•', OElig: 'Œ', oelig: 'œ', Scaron: 'Š', scaron: 'š', Yuml: 'Ÿ' },
  }),
]);

/** Plain text out of stored text. Decodes once: "&amp;amp;" is the text "&amp;". */
export function decodeText(stored: string): string {
  return stored.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}|(?:sup|frac)\d{1,2}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return NAMED.get(name) ?? whole;
      const code = decimal !== undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole;
    },
  );
}

/** What browsers take for markup in a title. */
const TITLE_MARKUP =
  /<\/?(?:abbr|bdi|bdo|big|br|cite|code|del|dfn|div|em|font|h[1-6]|img|ins|kbd|mark|samp|small|span|strike|strong|sub|sup|tt|var|wbr)(?:\s[^<>]*)?\/?>/gi;
/** A size in brackets ("<S>") is none. */
const SHORT_MARKUP = /<\/?[abipqsu](?:\s[^<>]*)?\/?>/g;

const LINE_BREAK = /<br(?:\s[^<>]*)?\/?>/i;

/**
 * A title as shoppers read it: WordPress keeps markup in titles, and other platforms would show it as text. A line break is a space. What is nothing but
 * markup stays: others take no blank title.
 */
export function titleText(stored: string): string {
  const lines = stored.split(LINE_BREAK);
  const broken = lines.length === 1 ? stored : lines.map((line) => line.trim()).join(' ');
  const plain = broken.replace(TITLE_MARKUP, '').replace(SHORT_MARKUP, '');
  const text = plain === stored ? stored : plain.replace(/ {2,}/g, ' ').trim();
  return decodeText(text === '' ? stored : text);
}

/** Control characters show nowhere, and WordPress takes them out of titles and descriptions. */
export function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '');
}

/** What Windows has at 128 to 159; null: nothing. */
const WINDOWS_SIGNS = [
  8364,
  null,
  8218,
  402,
  8222,
  8230,
  8224,
  8225,
  710,
  8240,
  352,
  8249,
  338,
  null,
  381,
  null,
  null,
  8216,
  8217,
  8220,
  8221,
  8226,
  8211,
  8212,
  732,
  8482,
  353,
  8250,
  339,
  null,
  382,
  376,
];

/** Numbers of Windows' own signs ("&#146;"), which stand in much that was pasted out of a word processor, as WordPress (and browsers) take them. */
export function withRealEntities(html: string): string {
  return html.replace(/&#1(?:2[89]|[345]\d);/g, (entity) => {
    const sign = WINDOWS_SIGNS[Number(entity.slice(2, -1)) - 128];
    return typeof sign === 'number' ? `&#${sign};` : '';
  });
}

/**
 * Plain text for a product's title. WordPress filters titles as HTML, so "Size <M>" would lose its "<M>" and a text
 * that spells an entity would turn into the character; `decodeText` is the inverse. An "&" that begins no entity goes as
 * it is: WordPress stores it as "&amp;" itself, and what takes titles as they come shows it as it was meant.
 */
export function encodeTitle(text: string): string {
  return escapeSlashes(
    text
      .replace(/&(?=#?\w{1,31};)/g, '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;'),
  );
}

/** WooCommerce runs `stripslashes` over titles and descriptions: a backslash only survives when it is doubled. */
export function escapeSlashes(text: string): string {
  return text.replaceAll('\\', '\\\\');
}

/**
 * What `sanitize_text_field` leaves of a text: no tags, no percent-encoded octets, no outer or doubled white space.
 * SKUs, names and values of attributes and tags go through it.
 */
export function cleanField(text: string): string {
  let clean = text;
  for (let previous = ''; previous !== clean; ) {
    previous = clean;
    clean = clean
      .replace(/<[a-zA-Z/!?][^>]*>/g, '')
      .replace(/%[a-fA-F0-9]{2}/g, '')
      .replace(/[\r\n\t ]+/g, ' ')
      .trim();
  }
  return clean;
}

/**
 * A value of an option. "|" divides values inside WooCommerce, and a backslash is dropped in one place and kept in
 * another.
 */
export function cleanOption(text: string): string {
  return cleanField(text.replace(/[|\\]/g, '/'));
}

/** A slug as people read it: letters beyond ASCII are stored percent-encoded. */
export function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

/** Whether two names are of one attribute: a variation may bear the name, or what WordPress makes of it for an address. */
export function sameName(a: string, b: string): boolean {
  const plain = (name: string) => decodeText(name).trim().toLowerCase();
  return (
    plain(a) === plain(b) || plain(a).replace(/[^\p{L}\p{N}]+/gu, '-') === plain(b).replace(/[^\p{L}\p{N}]+/gu, '-')
  );
}
