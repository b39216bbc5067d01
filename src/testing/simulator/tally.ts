import { CoverageSum } from './coverage-sum.ts';
import type { Day } from './day.ts';
import { FAULTS_OF_EACH_SEED, rareOn } from './faults-of-each-seed.ts';
import { MISHAPS } from './mishaps.ts';
import { RECORDS, replayCommand, type Seed, STEPS } from './seed-lists.ts';
import type { SeedDone } from './seed-pool.ts';

/** What people and shops do seldom and all at once: judged over all seeds of full size of a run, once they are this many. */
const ACTIONS_PER_RUN = [...MISHAPS, 'day_off'];
/** And for what only dense and drowsy days have. */
const ACTIONS_PER_DENSE_RUN = ['settings_change'];
const RUN_SEEDS_MIN = 20;

export interface Failure {
  readonly seed: Seed;
  readonly done: SeedDone;
  readonly lines: readonly string[];
}

/** What a run of seeds came to: counts of everything that happened, and whether what was to be tested did happen. */
export class Tally {
  readonly failures: Failure[] = [];
  seeds = 0;
  readonly days = new Map<Day, number>();
  wallMs = 0;
  virtualMs = 0;
  readonly #faults = new Map<string, { sum: number; min: number }>();
  readonly #actions = new Map<string, { sum: number; min: number }>();
  readonly #coverage = new CoverageSum();
  /** Of the seeds that are judged over a run. */
  readonly #fullCoverage = new CoverageSum();
  #full = 0;
  #fullDense = 0;

  add(seed: Seed, done: SeedDone): Failure | null {
    this.seeds += 1;
    this.days.set(seed.day, (this.days.get(seed.day) ?? 0) + 1);
    this.wallMs += Number.isFinite(done.wallMs) ? done.wallMs : 0;
    this.virtualMs += done.virtualMs;
    const isFull = seed.steps >= STEPS && seed.records >= RECORDS;
    const lines = done.violations.map(({ invariant, message }) => `${invariant}: ${message}`);
    const isPlayed = Object.keys(done.faults).length > 0;
    if (isPlayed) {
      count(this.#faults, done.faults);
      count(this.#actions, done.actions);
      this.#coverage.add(done.coverage);
    }
    if (isFull && isPlayed) {
      // A shared shop's day is of stock alone: most of what is judged over a run never comes in it.
      if (seed.set !== 'shared') {
        this.#full += 1;
        if (seed.day !== 'ordinary') this.#fullDense += 1;
        this.#fullCoverage.add(done.coverage);
      }
      // A seed in which something broke has no evening, and that is what there is to say of it.
      const rare = seed.set === 'shared' || lines.length > 0 ? [] : rareOn(seed.day);
      const never = [...FAULTS_OF_EACH_SEED, ...rare].filter((name) => (done.faults[name] ?? 0) === 0);
      if (never.length > 0) lines.push(`vacuous: ${never.join(', ')} never fired in this seed`);
    }
    if (lines.length === 0) return null;
    const failure = { seed, done, lines };
    this.failures.push(failure);
    return failure;
  }

  /** Actions that no seed of the run saw, and what too little of was compared, though there were seeds enough. */
  vacuous(): readonly string[] {
    if (this.#full < RUN_SEEDS_MIN) return [];
    const denseActions = this.#fullDense < RUN_SEEDS_MIN ? [] : ACTIONS_PER_DENSE_RUN;
    const never = [...ACTIONS_PER_RUN, ...denseActions].filter((name) => (this.#actions.get(name)?.sum ?? 0) === 0);
    return [
      ...never.map((name) => `vacuous: ${name} never fired in ${this.#full} seeds`),
      ...this.#fullCoverage.tooLittle().map((what) => `vacuous: ${what} in ${this.#full} seeds`),
    ];
  }

  get isPassed(): boolean {
    return this.failures.length === 0 && this.vacuous().length === 0;
  }

  /** Every fault and action with its sum, and the least of any one seed; and how much was compared. */
  table(): string {
    return [...rows('fault', this.#faults), '', ...rows('action', this.#actions), '', ...this.#coverage.rows()].join(
      '\n',
    );
  }

  summary(elapsedMs: number): string {
    const seconds = elapsedMs / 1_000;
    const perSeed = this.seeds === 0 ? 0 : this.wallMs / this.seeds / 1_000;
    return [
      `${this.seeds} seeds (${this.days.get('dense') ?? 0} dense, ${this.days.get('drowsy') ?? 0} drowsy), ${(this.virtualMs / 86_400_000).toFixed(1)} days of shop life, in ${seconds.toFixed(1)} s`,
      `${(this.seeds / Math.max(seconds, 0.001)).toFixed(2)} seeds/s, ${perSeed.toFixed(2)} s each; ${this.failures.length} failed`,
    ].join(': ');
  }
}

/** A failing seed in words: what broke, and the one command that plays it again. */
export function describeFailure(failure: Failure, linesMax = 5): string {
  const { seed, lines } = failure;
  const shown = lines.slice(0, linesMax).map((line) => `    ${line.split('\n').slice(0, 6).join('\n      ')}`);
  if (lines.length > linesMax) shown.push(`    ... and ${lines.length - linesMax} more`);
  return [
    `FAILED ${seed.set} ${seed.seed}${seed.day === 'ordinary' ? '' : ` ${seed.day}`}`,
    ...shown,
    `    ${replayCommand(seed)}`,
  ].join('\n');
}

function count(into: Map<string, { sum: number; min: number }>, counts: Readonly<Record<string, number>>): void {
  for (const [name, times] of Object.entries(counts)) {
    const known = into.get(name);
    if (known === undefined) into.set(name, { sum: times, min: times });
    else into.set(name, { sum: known.sum + times, min: Math.min(known.min, times) });
  }
}

function rows(kind: string, counts: ReadonlyMap<string, { sum: number; min: number }>): readonly string[] {
  return [
    `${kind.padEnd(26)}${'times'.padStart(9)}${'least in a seed'.padStart(18)}`,
    ...[...counts].map(
      ([name, { sum, min }]) => `${name.padEnd(26)}${String(sum).padStart(9)}${String(min).padStart(18)}`,
    ),
  ];
}
