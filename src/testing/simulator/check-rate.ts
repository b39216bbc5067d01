import type { MemoryPlatform } from '../../connectors/memory/platform.ts';
import type { Visit } from '../../connectors/memory/visits.ts';
import type { Violation } from './check.ts';

/**
 * [I9] No shop is asked faster than its limit, whoever asks and over however many lives of our program, nor asked again sooner than it said. Told from what
 * came to the shop's door, so that nothing hangs on what our own gate believes.
 */
export function checkRate(
  shops: readonly Pick<MemoryPlatform, 'name' | 'personality' | 'visits'>[],
): readonly Violation[] {
  return shops.flatMap(({ name, personality: { rate }, visits }) => {
    const tooMany = rate === null ? [] : overLimit(visits.all, rate);
    const tooSoon = beforeTime(visits.all);
    return [
      ...said(
        tooMany,
        `${name} was asked faster than its limit allows (${rate?.burst} at once, ${rate?.perSecond} a second)`,
      ),
      ...said(tooSoon, `${name} was asked again before the time that it had told`),
    ];
  });
}

/** Those for which there was no room any more: what came before them had used up what is allowed at once, and too little time had gone by since. */
function overLimit(
  visits: readonly Visit[],
  { burst, perSecond }: { burst: number; perSecond: number },
): readonly Visit[] {
  const roomPerMs = perSecond / 1_000;
  let used = 0;
  let last = Number.NEGATIVE_INFINITY;
  return visits.filter(({ at }) => {
    used = Math.max(0, used - (at - last) * roomPerMs) + 1;
    last = at;
    // Sums of fractions: what is over by less than a thousandth is not over.
    return used > burst + 0.001;
  });
}

/** Those that came again too soon after they had been turned away. */
function beforeTime(visits: readonly Visit[]): readonly Visit[] {
  const notBefore = new Map<number, number>();
  return visits.filter((visit) => {
    const isTooSoon = visit.at < (notBefore.get(visit.request) ?? 0);
    if (visit.notBefore !== null) notBefore.set(visit.request, visit.notBefore);
    return isTooSoon;
  });
}

/** One violation for all of them: where one is too fast the next ones mostly are, too. */
function said(visits: readonly Visit[], what: string): readonly Violation[] {
  const [first] = visits;
  if (first === undefined) return [];
  return [
    { invariant: 'I9 rate', message: `${what}: ${visits.length} times, first at ${first.at} (${first.operation})` },
  ];
}
