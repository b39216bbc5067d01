/** Named entities that shop software writes into plain text. Numeric ones are decoded whatever they are. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  trade: '™',
  reg: '®',
  copy: '©',
  euro: '€',
  times: '×',
  deg: '°',
};

export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal !== undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}

/**
 * Typographic variants that WordPress' texturiser and phone keyboards make out of plain characters. They stand by number: a single one
 * in a pattern, which the bundler leaves as it is, and V8 holds the whole program in two bytes a character for as long as it runs.
 */
function plainPunctuation(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033]/g, '"')
    .replace(/[\u2013\u2014\u2212]/g, '-')
    .replace(/\u2026/g, '...')
    .replace(/[\u00a0\u2007\u202f]/g, ' ');
}

/** Steps after which text that was encoded over and over still counts as it is then. */
const STEPS_MAX = 16;

/** Repeats `step` until nothing changes any more, so that a normal form is its own normal form (text that was encoded twice). */
function untilStill(text: string, step: (text: string) => string): string {
  let before = text;
  for (let count = 0; count < STEPS_MAX; count += 1) {
    const after = step(before);
    if (after === before) break;
    before = after;
  }
  return before;
}

/** Visible ASCII without entities, single spaces between: its own normal form. Most text of most shops is. */
const PLAIN = /^[!-%'-~]+(?: [!-%'-~]+)*$/;

/** Plain text for comparison: entities decoded, one form of quotes and dashes, white space collapsed, Unicode composed. */
export function normaliseText(text: string): string {
  if (PLAIN.test(text)) return text;
  return untilStill(text, (step) =>
    plainPunctuation(decodeEntities(step)).normalize('NFC').replace(/\s+/gu, ' ').trim(),
  );
}

/** White space around these shows nothing. */
const BLOCK = 'p|div|ul|ol|li|table|thead|tbody|tr|td|th|h[1-6]|br|hr|blockquote|pre|section|article|figure|figcaption';
const AROUND_BLOCKS = new RegExp(`\\s*(</?(?:${BLOCK})(?: [^>]*)?>)\\s*`, 'g');

/** A paragraph and nothing beside it: shops show such a text alike with and without the tag. */
const LONE_PARAGRAPH = new RegExp(`^<p>((?:(?!</?(?:${BLOCK.replace('|br|', '|')})[ >]).)*)</p>$`);

/**
 * HTML for comparison only: scripts, styles, comments, event handlers and editor marks removed; attribute order and quoting,
 * white space around blocks, entities, smart punctuation and a lone paragraph made one. What it hides is what platforms rewrite by themselves.
 */
export function normaliseHtml(html: string): string {
  const known = normalised.get(html);
  if (known !== undefined) return known;
  const normal = untilStill(html, plainHtml);
  if (html.length <= REMEMBERED_CHARS_MAX) {
    if (normalised.size >= REMEMBERED_MAX) normalised.clear();
    normalised.set(html, normal);
  }
  return normal;
}

/** A pass holds the same few descriptions against each other again and again. At most some 512 kB. */
const normalised = new Map<string, string>();
const REMEMBERED_MAX = 64;
const REMEMBERED_CHARS_MAX = 2_000;

function plainHtml(html: string): string {
  return plainPunctuation(
    html
      .replace(/<!--[\s\S]*?-->/g, '')
      .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, '')
      .replace(
        /<([a-zA-Z][a-zA-Z0-9-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/g,
        (_whole, tag: string, rest: string) => `<${tag.toLowerCase()}${normaliseAttributes(rest)}>`,
      )
      .replace(/<\/([a-zA-Z][a-zA-Z0-9-]*)\s*>/g, (_whole, tag: string) => `</${tag.toLowerCase()}>`)
      .replace(/&nbsp;/g, ' ')
      .replace(/&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});/g, (entity) => {
        const text = decodeEntities(entity);
        return text === '<' ? '&lt;' : text === '>' ? '&gt;' : text;
      }),
  )
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(AROUND_BLOCKS, '$1')
    .replace(/<p><\/p>/g, '')
    .trim()
    .replace(LONE_PARAGRAPH, '$1');
}

function normaliseAttributes(rest: string): string {
  const attributes: string[] = [];
  for (const match of rest.matchAll(/([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g)) {
    const name = (match[1] ?? '').toLowerCase();
    if (name.startsWith('on')) continue;
    const value = match[2] ?? match[3] ?? match[4];
    attributes.push(
      value === undefined
        ? ` ${name}`
        : ` ${name}="${decodeEntities(value).replace(/\s+/g, ' ').trim().replace(/"/g, '&quot;')}"`,
    );
  }
  return attributes.sort().join('');
}

/** What two tags are told apart by: platforms differ in letter case, spacing and order. */
export function tagKey(tag: string): string {
  return PLAIN.test(tag) ? tag.toLowerCase() : untilStill(tag, (step) => normaliseText(step).toLowerCase());
}
