import {
  type Coverage,
  CoverageTally,
  type Covered,
  describeCovered,
  percent,
  SUBJECTS,
  type Subject,
  shareOf,
  tooLittle,
} from './coverage.ts';

/** The least share over many seeds, which hold fewer surprises than one. */
const LEAST_OF_RUN: Readonly<Record<Subject, number>> = {
  record: 0.8,
  field: 0.9,
  stock_shown: 0.75,
  stock_counted: 0.25,
};

/** How much a run of seeds compared. */
export class CoverageSum {
  readonly #sum = new CoverageTally();
  readonly #least = new Map<Subject, number>();

  add(coverage: Coverage): void {
    for (const subject of SUBJECTS) {
      const covered = coverage[subject];
      if (covered === undefined) continue;
      this.#add(subject, covered);
      const share = shareOf(covered);
      if (share !== null) this.#least.set(subject, Math.min(this.#least.get(subject) ?? 1, share));
    }
  }

  #add(subject: Subject, { compared, leftOut }: Covered): void {
    this.#sum.compared(subject, compared);
    for (const [why, times] of Object.entries(leftOut)) this.#sum.leftOut(subject, why, times);
  }

  tooLittle(): readonly string[] {
    return tooLittle(this.#sum.counts, LEAST_OF_RUN);
  }

  /** A table: how many, the least share of a seed, and the share of all with what was left out. */
  rows(): readonly string[] {
    const { counts } = this.#sum;
    return [
      `${'compared'.padEnd(26)}${'times'.padStart(9)}${'least in a seed'.padStart(18)}`,
      ...SUBJECTS.flatMap((subject) => {
        const covered = counts[subject];
        if (covered === undefined) return [];
        const least = this.#least.get(subject);
        const share = (least === undefined ? '-' : percent(least)).padStart(18);
        return [`${subject.padEnd(26)}${String(covered.compared).padStart(9)}${share}   ${describeCovered(covered)}`];
      }),
    ];
  }
}
