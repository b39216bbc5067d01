const HIDDEN = '[redacted]';
const DEPTH_MAX = 5;
const ITEMS_MAX = 50;
const TEXT_MAX = 4000;

/** Field names whose value is never shown, whatever it is. */
const SECRET_NAME =
  /(secret|passw|token|authorization|cookie|credential|signature|hmac|totp|recovery|api_?key|consumer_?key|encryption_?key|private_?key|card|cvc)/i;

/** What is no part of an address in texts, nor of the name before the @ in addresses of pages. */
const BETWEEN = String.raw`\s@\p{Cc}<>(),;:"[\]\\/?=`;
/**
 * An address of a person, in any script. The domain stays: it helps to find the trouble and names nobody. A run of characters is begun at its first one
 * only, and so looked through once.
 */
const ADDRESS = new RegExp(
  String.raw`(?<![^${BETWEEN}])[^${BETWEEN}]+@((?:[^${BETWEEN}.&]+\.)+\p{L}[\p{L}\p{M}])`,
  'gu',
);

// Repetitions are bounded: on a long text without a match each start would otherwise look at all the rest.
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Shopify tokens and secrets, WooCommerce keys.
  [/\bshp[a-z]{2,3}_[A-Za-z0-9]{8,}/g, HIDDEN],
  [/\bc[ks]_[0-9a-f]{16,}/g, HIDDEN],
  // Our own: refresh and API tokens, what mailed links carry, and what outgoing webhooks are signed with.
  [/\b(?:rt|ts|vfy|rst|invite)_[\w-]{20,}/g, HIDDEN],
  [/\bwhsec_[\w+/-]{20,}={0,2}/g, HIDDEN],
  // JSON web tokens (a demo's begins with "mock_"), Authorization headers, user:password@ in addresses.
  [/\b(?:mock_)?eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, HIDDEN],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${HIDDEN}`],
  [/(\/\/)[^\s/:@]*:[^\s/@]*@/g, `$1${HIDDEN}@`],
  // name=value in addresses and form bodies.
  [/([\w-]{0,40}(?:secret|token|password|consumer_key|api_key|signature)[\w-]{0,40}=)[^&\s"']+/gi, `$1${HIDDEN}`],
  [ADDRESS, '[email]@$1'],
];

/** Text without secrets and email addresses of people, cut to 4,000 characters. */
export function redactText(text: string): string {
  let result = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
  for (const [pattern, replacement] of PATTERNS) result = result.replace(pattern, replacement);
  return result;
}

/** A copy that may be logged: secrets and email addresses are gone, depth and size are bounded. Errors become name, message and stack. */
export function redactFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactObject(fields, 0);
}

function redactObject(value: object, depth: number): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value).slice(0, ITEMS_MAX)) {
    const isHidden = SECRET_NAME.test(name) && typeof member !== 'boolean' && member !== null && member !== undefined;
    result[name] = isHidden ? HIDDEN : redactValue(member, depth + 1);
  }
  return result;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    return redactObject({ name, message, stack, ...(cause === undefined ? {} : { cause }) }, depth);
  }
  if (depth >= DEPTH_MAX) return '[deep]';
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((item) => redactValue(item, depth + 1));
  if (value instanceof URL) return redactText(value.href);
  if (value instanceof Map || value instanceof Set) return `[${value.size} entries]`;
  return redactObject(value, depth);
}
