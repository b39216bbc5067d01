/** Neighbours of one day in one group, in the order in which they come. */
export function byDay<Entry extends { readonly at: string }>(
  entries: readonly Entry[],
  dayOf: (iso: string) => string,
): readonly { readonly day: string; readonly entries: readonly Entry[] }[] {
  const groups: { day: string; entries: Entry[] }[] = [];
  for (const entry of entries) {
    const day = dayOf(entry.at);
    const last = groups.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else groups.push({ day, entries: [entry] });
  }
  return groups;
}
