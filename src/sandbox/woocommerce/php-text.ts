/** The text functions of WordPress that change what a client sent, and what it reads back. */

const ALLOWED_TAGS = new Set(
  `a abbr address area article aside audio b bdo big blockquote br button caption center cite code col colgroup dd del
  details dfn div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd
  label legend li main map mark menu nav ol p pre q s samp section small span strike strong sub summary sup table tbody
  td textarea tfoot th thead title tr track tt u ul var video`
    .trim()
    .split(/\s+/),
);
const ATTRIBUTES = /[\s/]*([^\s=/"'<>]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]*))?|"[^"]*"|'[^']*'/g;
const URI_ATTRIBUTES = ['href', 'src', 'cite', 'poster', 'action', 'background', 'formaction', 'longdesc', 'usemap'];
/** wp_allowed_protocols() */
const PROTOCOLS =
  'http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp webcal urn'.split(
    ' ',
  );

function keepAttribute(name: string): boolean {
  const lower = name.toLowerCase();
  return !lower.startsWith('on') && lower !== 'srcdoc';
}

/** wp_kses_bad_protocol: what stands before the first colon goes unless it is allowed, and the rest stays. */
function withoutBadProtocol(value: string): string {
  if (/^https?:\/\//.test(value)) return value;
  const [head = '', ...rest] = value.split(':');
  if (rest.length === 0 || head.includes('/?')) return value;
  const protocol = decodeEntities(head).replace(/\s/g, '').toLowerCase();
  const after = rest.join(':').trim();
  return PROTOCOLS.includes(protocol) ? `${protocol}:${after}` : withoutBadProtocol(after);
}

/**
 * wp_kses with the 'post' rules: tags that are not allowed go, their text stays; bare & < > become entities. What stands between a bare "<" and the next ">"
 * counts as a tag that is not allowed, unless another "<" comes before: with it the beginning of a comment that holds a tag is text.
 */
export function kses(html: string): string {
  return preKsesLessThan(withoutControls(html))
    .split(/(<!--[\s\S]*?(?:-->|$)|<[^<>]*>)/)
    .map((part, index) =>
      index % 2 === 0 ? encodeText(part) : part.startsWith('<!--') ? ksesComment(part) : ksesTag(part),
    )
    .join('');
}

/** wp_pre_kses_less_than */
function preKsesLessThan(text: string): string {
  return text.replace(/<[^>]*?(?:(?=<)|>|$)/g, (found) => (found.includes('>') ? found : escHtml(found)));
}

/** wp_kses_split2: one that nothing ends holds all that follows. */
function ksesComment(comment: string): string {
  const content = kses(comment.replace(/<!--|-->/g, ''));
  return content === '' ? '' : `<!--${content.replace(/--+/g, '-').replace(/-$/, '')}-->`;
}

function escHtml(text: string): string {
  return encodeText(text).replaceAll('"', '&quot;').replaceAll("'", '&#039;');
}

function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: wp_kses_no_null takes them out
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '');
}

function ksesTag(tag: string): string {
  const match = /^<(\/?)([a-zA-Z][\w-]*)([\s\S]*?)(\/?)>$/.exec(tag);
  if (!match) return '';
  const [, slash = '', name = '', attributes = '', selfClose = ''] = match;
  if (!ALLOWED_TAGS.has(name.toLowerCase())) return '';
  if (slash) return `</${name}>`;
  let kept = '';
  const seen = new Set<string>();
  for (const [, attribute, value] of attributes.matchAll(ATTRIBUTES)) {
    if (attribute === undefined || !keepAttribute(attribute) || seen.has(attribute.toLowerCase())) continue;
    seen.add(attribute.toLowerCase());
    if (value === undefined) kept += ` ${attribute}`;
    else {
      const quote = /^["']/.test(value) ? value.slice(0, 1) : '"';
      const bare = value.replace(/^["']|["']$/g, '');
      const isUri = URI_ATTRIBUTES.includes(attribute.toLowerCase());
      kept += ` ${attribute}=${quote}${isUri ? withoutBadProtocol(bare) : bare}${quote}`;
    }
  }
  return `<${name}${kept}${selfClose ? ' /' : ''}>`;
}

function encodeText(text: string): string {
  return encodeAmpersands(text).replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A bare & becomes &amp;; an entity that is already there stays. */
function encodeAmpersands(text: string): string {
  return text.replace(/&(?!(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});)/g, '&amp;');
}

/** convert_invalid_entities: from &#128; on, what WordPress writes in place of Windows' signs; 0: nothing. */
const VALID_ENTITIES = [
  8364, 0, 8218, 402, 8222, 8230, 8224, 8225, 710, 8240, 352, 8249, 338, 0, 381, 0, 0, 8216, 8217, 8220, 8221, 8226,
  8211, 8212, 732, 8482, 353, 8250, 339, 0, 382, 376,
];

export function convertInvalidEntities(html: string): string {
  return html.replace(/&#(1[2-5]\d);/g, (entity, code: string) => {
    const valid = VALID_ENTITIES[Number(code) - 128];
    return valid === undefined ? entity : valid === 0 ? '' : `&#${valid};`;
  });
}

/** Term names are stored with their entities: "A & B" comes back as "A &amp; B". */
export function termName(text: string): string {
  return encodeText(sanitizeText(withoutControls(text)));
}

/** sanitize_text_field: no tags, no line breaks, no doubled or outer spaces, no %-octets. What follows a "<" that ends nowhere is text, with its quotes as entities. */
export function sanitizeText(text: string): string {
  return preKsesLessThan(text)
    .replace(/<[a-zA-Z/!][^>]*>/g, '')
    .replace(/[\r\n\t ]+/g, ' ')
    .replace(/%[a-fA-F0-9]{2}/g, '')
    .trim();
}

/** stripslashes: a single backslash does not survive a product's name or description. */
export function stripSlashes(text: string): string {
  return text.replace(/\\(.?)/gs, '$1');
}

export function sanitizeTitle(text: string): string {
  // strip_tags: one that nothing ends goes on to the end.
  const plain = decodeEntities(text.replace(/<(?!\s)[^>]*(?:>|$)/g, ''))
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[./]/g, '-')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s+/g, '-')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');
  return encodeURIComponent(plain).toLowerCase().slice(0, 200);
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#039': "'", '#39': "'", apos: "'" };

export function decodeEntities(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => NAMED[name] ?? whole);
}

const BLOCK =
  'table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|menu|summary';
const BLOCK_START = new RegExp(`^</?(?:${BLOCK})[\\s/>]`, 'i');
const BLOCK_OPEN = new RegExp(`\\s*(<(?:${BLOCK})[\\s/>])`, 'gi');
const BLOCK_CLOSE = new RegExp(`(</(?:${BLOCK})>)\\s*`, 'gi');

/** wpautop in the cases shops have: paragraphs from blank lines, <br /> from line breaks, block elements left alone. */
export function autop(html: string): string {
  if (html.trim() === '') return '';
  const spaced = html
    .replace(/\r\n?/g, '\n')
    .replace(BLOCK_OPEN, '\n\n$1')
    .replace(BLOCK_CLOSE, '$1\n\n')
    .replace(/<br\s*\/?>\s*\n?/gi, '\n');
  const paragraphs = spaced
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const lines = paragraphs.map((part) =>
    BLOCK_START.test(part) ? part.replace(/\n/g, '<br />\n') : `<p>${part.replace(/\n/g, '<br />\n')}</p>`,
  );
  return `${lines.join('\n')}\n`;
}

/** wptexturize, its everyday part: curly quotes, dashes and dots as numeric entities, outside of tags. */
function texturize(html: string): string {
  return html
    .split(/(<[^>]*>)/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replaceAll('...', '&#8230;')
            .replaceAll('---', '&#8212;')
            .replace(/ -- /g, ' &#8212; ')
            .replaceAll('--', '&#8211;')
            .replace(/ - /g, ' &#8211; ')
            .replace(/(\w)'/g, '$1&#8217;')
            .replace(/'/g, '&#8216;')
            .replace(/(^|[\s(])"/g, '$1&#8220;')
            .replace(/"/g, '&#8221;'),
    )
    .join('');
}

/** What readers get for a short description and for a variation's description. */
export function formatContent(html: string): string {
  return autop(texturize(html));
}
