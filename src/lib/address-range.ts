/** An address as a number, IPv4 inside IPv6 as IPv4. */
interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** "10.0.0.0/8, 127.0.0.1, fd00::/8" as the list of its parts; null when one of them is no address. */
export function parseAddressRanges(text: string): readonly string[] | null {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  return parts.length > 0 && parts.every((part) => parseRange(part) !== null) ? parts : null;
}

export function isAddressRange(text: string): boolean {
  return parseRange(text) !== null;
}

/** Whether `address` lies in one of the ranges. What is no address lies in none. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const given = parseAddress(address);
  if (given === null) return false;
  return ranges.some((text) => {
    const range = parseRange(text);
    if (range === null || range.address.bits !== given.bits) return false;
    const shift = BigInt(given.bits - range.prefix);
    return given.value >> shift === range.address.value >> shift;
  });
}

function parseRange(text: string): { readonly address: Address; readonly prefix: number } | null {
  const [head = '', tail, ...rest] = text.split('/');
  const address = parseAddress(head);
  if (address === null || rest.length > 0) return null;
  if (tail === undefined) return { address, prefix: address.bits };
  const prefix = /^\d{1,3}$/.test(tail) ? Number(tail) : Number.NaN;
  return prefix <= address.bits ? { address, prefix } : null;
}

function parseAddress(text: string): Address | null {
  if (!text.includes(':')) {
    const value = parseIpv4(text);
    return value === null ? null : { bits: 32, value };
  }
  const value = parseIpv6(text.split('%')[0] ?? '');
  if (value === null) return null;
  return value >> 32n === 0xffffn ? { bits: 32, value: value & 0xffffffffn } : { bits: 128, value };
}

function parseIpv4(text: string): bigint | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return null;
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function parseIpv6(text: string): bigint | null {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const low = dotted === null ? null : parseIpv4(dotted[2] ?? '');
  if (dotted !== null && low === null) return null;
  const plain =
    dotted === null || low === null ? text : `${dotted[1]}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`;
  const halves = plain.split('::');
  if (halves.length > 2) return null;
  const [left, right] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const groups = [...(left ?? [])];
  if (right !== undefined) {
    const missing = 8 - groups.length - right.length;
    if (missing < 1) return null;
    groups.push(...Array.from({ length: missing }, () => '0'), ...right);
  }
  if (groups.length !== 8 || !groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}
