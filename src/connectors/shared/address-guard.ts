import { isIP } from 'node:net';

/**
 * Which addresses a connection may be opened to. Store addresses are typed by people, so an instance shared by several
 * workspaces must not be made to call its own network.
 * - `public`: https to addresses of the public internet only.
 * - `local`: additionally private networks over https, and loopback over plain http.
 * - `trusted`: anything; for origins that the operator listed.
 */
export type AddressPolicy = 'public' | 'local' | 'trusted';

/** The code of a call that the guard did not let out. */
export const ADDRESS_REFUSED = 'ADDRESS_REFUSED';

export type AddressClass = 'public' | 'loopback' | 'local' | 'reserved';

/** First address and prefix length of what is not the public internet (IANA special-purpose registries). */
const IPV4_RANGES: readonly (readonly [string, number, AddressClass])[] = [
  ['0.0.0.0', 8, 'reserved'],
  ['10.0.0.0', 8, 'local'],
  ['100.64.0.0', 10, 'local'],
  ['127.0.0.0', 8, 'loopback'],
  ['168.63.129.16', 32, 'reserved'], // Azure's metadata and DNS address, public by number only
  ['169.254.0.0', 16, 'reserved'], // link-local, and the metadata services of most clouds
  ['172.16.0.0', 12, 'local'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'reserved'],
  ['192.88.99.0', 24, 'reserved'],
  ['192.168.0.0', 16, 'local'],
  ['198.18.0.0', 15, 'reserved'],
  ['198.51.100.0', 24, 'reserved'],
  ['203.0.113.0', 24, 'reserved'],
  ['224.0.0.0', 3, 'reserved'],
];

/** IPv6 is refused unless it is global unicast; these are the exceptions inside and outside of 2000::/3. */
const IPV6_RANGES: readonly (readonly [string, number, AddressClass])[] = [
  ['::1', 128, 'loopback'],
  ['fc00::', 7, 'local'],
  ['2001::', 23, 'reserved'], // protocol assignments, Teredo among them
  ['2001:db8::', 32, 'reserved'],
  ['3fff::', 20, 'reserved'],
];

/** Ranges that carry an IPv4 address: prefix, its length, and the byte at which the IPv4 address starts. */
const IPV6_CARRIERS: readonly (readonly [string, number, number])[] = [
  ['::ffff:0:0', 96, 12], // IPv4-mapped
  ['::ffff:0:0:0', 96, 12], // IPv4-translated
  ['::', 96, 12], // IPv4-compatible
  ['64:ff9b::', 96, 12], // NAT64
  ['2002::', 16, 2], // 6to4
];

/** What kind of address `address` is, an IPv4 address carried inside an IPv6 one included; null when it is no address. */
export function classifyAddress(address: string): AddressClass | null {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const version = isIP(bare);
  if (version === 4) return classifyIpv4(ipv4Bytes(bare));
  if (version === 6) return classifyIpv6(ipv6Bytes(bare));
  return null;
}

/** Whether `policy` lets a connection be opened to `address`; `plain` is http without TLS. */
export function isAddressAllowed(address: string, policy: AddressPolicy, plain: boolean): boolean {
  if (policy === 'trusted') return true;
  const kind = classifyAddress(address);
  if (policy === 'local') return kind === 'loopback' || (!plain && (kind === 'local' || kind === 'public'));
  return kind === 'public' && !plain;
}

/** Why `url` must not be called at all, before any name is looked up; null when it may be. */
export function refuseUrl(url: URL, policy: AddressPolicy): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'only http and https addresses can be called';
  if (url.username !== '' || url.password !== '') return 'an address must not carry a user name or password';
  if (policy === 'trusted') return null;
  const plain = url.protocol === 'http:';
  if (plain && policy === 'public') return 'only https addresses can be called';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) {
    return isAddressAllowed(host, policy, plain) ? null : `${host} is not an address of the public internet`;
  }
  // Names that never belong to the public internet, however a resolver answers them.
  const name = host.toLowerCase().replace(/\.+$/, '');
  if (name === '') return 'the address has no host';
  const isLocalName = /(^|\.)(localhost|local|internal|home\.arpa)$/.test(name);
  if (isLocalName && policy === 'public') return `${name} is not a name of the public internet`;
  return null;
}

function classifyIpv4(bytes: readonly number[]): AddressClass {
  for (const [network, bits, kind] of IPV4_RANGES) if (hasPrefix(bytes, ipv4Bytes(network), bits)) return kind;
  return 'public';
}

function classifyIpv6(bytes: readonly number[]): AddressClass {
  for (const [network, bits, kind] of IPV6_RANGES) if (hasPrefix(bytes, ipv6Bytes(network), bits)) return kind;
  for (const [network, bits, start] of IPV6_CARRIERS) {
    if (!hasPrefix(bytes, ipv6Bytes(network), bits)) continue;
    return classifyIpv4(bytes.slice(start, start + 4));
  }
  return hasPrefix(bytes, ipv6Bytes('2000::'), 3) ? 'public' : 'reserved';
}

function hasPrefix(bytes: readonly number[], network: readonly number[], bits: number): boolean {
  for (let at = 0, left = bits; left > 0; at += 1, left -= 8) {
    const mask = left >= 8 ? 0xff : (0xff << (8 - left)) & 0xff;
    if (((bytes[at] ?? 0) & mask) !== ((network[at] ?? 0) & mask)) return false;
  }
  return true;
}

function ipv4Bytes(address: string): number[] {
  return address.split('.').map(Number);
}

function ipv6Bytes(address: string): number[] {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  let text = address;
  if (dotted) {
    const [a = 0, b = 0, c = 0, d = 0] = ipv4Bytes(dotted[2] ?? '');
    text = `${dotted[1]}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  }
  const [head = '', tail] = text.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap: string[] = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...gap, ...right].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
