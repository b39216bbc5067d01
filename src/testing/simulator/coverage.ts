import type { Violation } from './check.ts';

/** What is held against a rule one by one at the end of a seed: a side's record, a field of one, an item's number on a side, and the hub's. */
export const SUBJECTS = ['record', 'field', 'stock_shown', 'stock_counted'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** How many of one kind were compared, and how many could not be, by the reason. */
export interface Covered {
  readonly compared: number;
  readonly leftOut: Readonly<Record<string, number>>;
}

/** Without a kind of which a seed has none (a shared shop's is of stock alone, and areas may be switched off). */
export type Coverage = Readonly<Partial<Record<Subject, Covered>>>;

/** Fewer than these say nothing of a share. */
const ENOUGH = 20;

/** Checkers note here what they looked at. */
export class CoverageTally {
  readonly #counts = new Map<Subject, { compared: number; leftOut: Map<string, number> }>();

  compared(subject: Subject, times = 1): void {
    this.#of(subject).compared += times;
  }

  leftOut(subject: Subject, why: string, times = 1): void {
    const { leftOut } = this.#of(subject);
    leftOut.set(why, (leftOut.get(why) ?? 0) + times);
  }

  get counts(): Coverage {
    const counts: Partial<Record<Subject, Covered>> = {};
    for (const [subject, { compared, leftOut }] of this.#counts)
      counts[subject] = { compared, leftOut: Object.fromEntries(leftOut) };
    return counts;
  }

  #of(subject: Subject): { compared: number; leftOut: Map<string, number> } {
    const known = this.#counts.get(subject) ?? { compared: 0, leftOut: new Map<string, number>() };
    this.#counts.set(subject, known);
    return known;
  }
}

/**
 * The least share that is compared of one seed, however bad its day was. Not of numbers: how many of the hub's can be told from the ledgers hangs
 * on how many records met late or were made again, and a target of one-way stock drifts in nearly all. These are judged over a run. On the worst of some thousand days people had deleted three records of four.
 */
const LEAST_OF_SEED: Readonly<Partial<Record<Subject, number>>> = { record: 0.25, field: 0.3 };

/** [I0] Checkers that left nearly everything out have seen nothing: a problem about every product would keep them all quiet. */
export function checkCoverage(coverage: Coverage): readonly Violation[] {
  return tooLittle(coverage, LEAST_OF_SEED).map((message) => ({ invariant: 'I0 vacuous', message }));
}

/** What less was compared of than `least` says. */
export function tooLittle(coverage: Coverage, least: Readonly<Partial<Record<Subject, number>>>): readonly string[] {
  return SUBJECTS.flatMap((subject) => {
    const covered = coverage[subject];
    const share = covered === undefined ? null : shareOf(covered);
    if (covered === undefined || share === null || share >= (least[subject] ?? 0)) return [];
    return [`no more of ${subject} was compared than ${describeCovered(covered)}`];
  });
}

/** The share that was compared, 0 to 1; null where there were too few. */
export function shareOf(covered: Covered): number | null {
  const all = allOf(covered);
  return all < ENOUGH ? null : covered.compared / all;
}

export function describeCovered(covered: Covered): string {
  const reasons = Object.entries(covered.leftOut).map(([why, times]) => `${why} ${times}`);
  const words = reasons.length === 0 ? '' : ` (left out: ${reasons.join(', ')})`;
  return `${percent(covered.compared / Math.max(1, allOf(covered)))} of ${allOf(covered)}${words}`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function allOf({ compared, leftOut }: Covered): number {
  return Object.values(leftOut).reduce((sum, times) => sum + times, compared);
}
