/** `value` cut into what it shares with `against` at the start, what differs, and what it shares at the end. */
export function differingParts(value: string, against: string): readonly [string, string, string] {
  const mine = [...value];
  const other = [...against];
  const shortest = Math.min(mine.length, other.length);
  let start = 0;
  while (start < shortest && mine[start] === other[start]) start += 1;
  let end = 0;
  while (end < shortest - start && mine[mine.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  return [
    mine.slice(0, start).join(''),
    mine.slice(start, mine.length - end).join(''),
    mine.slice(mine.length - end).join(''),
  ];
}
