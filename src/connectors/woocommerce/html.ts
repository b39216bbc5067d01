const DROPPED_WITH_CONTENT = /<(script|style|noscript|template|object|applet)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi;
const DROPPED_TAGS =
  /<\/?(?:script|style|noscript|template|object|applet|embed|iframe|frame|frameset|base|meta|link)\b[^>]*>/gi;
const TAG = /<([a-zA-Z][a-zA-Z0-9-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/g;
const ATTRIBUTE = /\s+([^\s=/"'<>]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g;
const ADDRESS_ATTRIBUTES = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'poster',
  'cite',
  'background',
  'xlink:href',
]);

/** Past this the text is made to attack us: its markup is turned into text. */
const ROUNDS_MAX = 16;

/**
 * HTML without what could run in a visitor's browser: Shopify keeps scripts and event handlers as they are. WordPress'
 * own filter would take the `<script>` tags away and leave their text standing on the page, so this is done before.
 * What is harmless stays byte for byte.
 */
export function sanitiseHtml(html: string): string {
  let clean = html;
  // Taking something out can join the halves of something else ("<scr<script></script>ipt>").
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const whole = clean.replace(DROPPED_WITH_CONTENT, '');
    const next = whole === clean ? whole.replace(DROPPED_TAGS, '').replace(TAG, cleanTag) : whole;
    if (next === clean) return clean;
    clean = next;
  }
  return clean.replace(/</g, '&lt;');
}

function cleanTag(whole: string, _name: string, attributes: string): string {
  if (!/\son|:|srcdoc/i.test(attributes)) return whole;
  const kept = attributes.replace(ATTRIBUTE, (text: string, name: string, value: string | undefined) => {
    const lower = name.toLowerCase();
    if (/^on[a-z]/.test(lower) || lower === 'srcdoc') return '';
    return ADDRESS_ATTRIBUTES.has(lower) && runsCode(value ?? '') ? '' : text;
  });
  return kept === attributes ? whole : `<${_name}${kept}>`;
}

/** Browsers ignore white space, control characters and entities inside the scheme. */
function runsCode(value: string): boolean {
  const bare = value
    .replace(/^["']|["']$/g, '')
    .replace(/&#(?:x([0-9a-f]+)|(\d+));?/gi, (_whole, hex, decimal) =>
      String.fromCodePoint(Math.min(0x10ffff, hex ? Number.parseInt(hex, 16) : Number(decimal))),
    )
    .replace(/&(?:tab|newline|colon);/gi, (entity) => (entity.toLowerCase() === '&colon;' ? ':' : ''))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what hides a scheme
    .replace(/[\u0000-\u0020\u007f-\u00a0]/g, '')
    .toLowerCase();
  return /^(?:javascript|vbscript|data:(?!image\/(?:png|gif|jpe?g|webp)))/.test(bare);
}
