const SOURCE_GROUPS = 4;
const NETWORK_GROUPS = 3;

/** An IPv6 customer has a /64 to themselves: all its addresses are one source. */
export function sourceOf(ip: string): string {
  return prefixOf(ip, SOURCE_GROUPS);
}

/** Many are given a /48, which is 65,536 sources. Of IPv4 the address itself: its neighbours are strangers. */
export function networkOf(ip: string): string {
  return prefixOf(ip, NETWORK_GROUPS);
}

function prefixOf(ip: string, groupCount: number): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!ip.includes(':')) return ip;
  const [head = '', tail = ''] = ip.toLowerCase().split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const gap = ip.includes('::') ? Math.max(0, 8 - left.length - right.length) : 0;
  const groups = [...left, ...Array.from({ length: gap }, () => '0'), ...right];
  return groups
    .slice(0, groupCount)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
