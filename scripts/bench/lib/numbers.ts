/** The value below which `share` (0 to 1) of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** How much of [from, to] is covered by at least one of the spans. One without an end (an exchange without an answer) covers nothing. */
export function covered(
  from: number,
  to: number,
  spans: readonly { readonly startedAt: number; readonly endedAt: number }[],
): number {
  const inside = spans
    .filter(({ endedAt }) => Number.isFinite(endedAt))
    .map(({ startedAt, endedAt }) => ({ start: Math.max(from, startedAt), end: Math.min(to, endedAt) }))
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start);
  let sum = 0;
  let reached = from;
  for (const { start, end } of inside) {
    if (end <= reached) continue;
    sum += end - Math.max(start, reached);
    reached = end;
  }
  return sum;
}
