import type { SeededRandom } from './random.ts';

/** What kind of day a seed lives through: one as shops have them, one on which much goes wrong at once, or such a one on a machine that sleeps now and then. */
export const DAYS = ['ordinary', 'dense', 'drowsy'] as const;
export type Day = (typeof DAYS)[number];

/** By how much more often something comes than on an ordinary day; what is not named comes as often. */
type Factors = Readonly<Record<string, number>>;

/** How fast a day goes, and what comes more often in it. */
export interface Pace {
  /** Of mishaps, of crashes while a stock write is on its way, and of rushes for one item. */
  readonly mishaps: number;
  /** What people do. */
  readonly actions: Factors;
  /** What befalls our process, and what a person does about it. */
  readonly events: Factors;
  /** Which mishaps come, when one comes. */
  readonly kinds: Factors;
  /** So often people turn to what somebody has just been at, in whichever shop, and not to any product at all. */
  readonly focus: number;
  /** So often a step has somebody change the pair's settings. */
  readonly settingsChance: number;
  /** The pause between two steps is so many times shorter. */
  readonly tempo: number;
  /** So often a step has our machine fall asleep. */
  readonly sleepChance: number;
}

/**
 * A dense day is for what needs three things at once: a record that is deleted while its write has no answer and its twin is edited. On ordinary
 * days that comes once in hundreds of seeds. Steps follow each other so fast that most of them find something still on its way.
 */
const DENSE: Pace = {
  mishaps: 4,
  actions: {
    edit_sku: 4,
    add_product: 2,
    add_both: 3,
    add_variant: 4,
    delete_variant: 6,
    bin_product: 6,
    restore_product: 6,
    delete_product: 5,
    toggle_tracking: 8,
  },
  // What shuts everything off for a while ends sooner, or nothing would happen behind it on so short a day.
  events: { kill: 2, kill_now: 2, settle: 4, resume: 4, webhooks: 4, restore: 4, outage_over: 4 },
  kinds: { forgetful: 0.3, spotty_listing: 0.3, empty_scan: 0.5 },
  focus: 0.6,
  settingsChance: 0.004,
  tempo: 4,
  sleepChance: 0,
};

export const PACES: Readonly<Record<Day, Pace>> = {
  ordinary: { mishaps: 1, actions: {}, events: {}, kinds: {}, focus: 0, settingsChance: 0, tempo: 1, sleepChance: 0 },
  dense: DENSE,
  drowsy: { ...DENSE, tempo: 2, sleepChance: 0.006 },
};

export function timesAsOften<K extends string>(
  weights: Readonly<Record<K, number>>,
  factors: Factors,
): Record<K, number> {
  const entries = Object.entries(weights) as [K, number][];
  return Object.fromEntries(entries.map(([name, weight]) => [name, weight * (factors[name] ?? 1)])) as Record<
    K,
    number
  >;
}

/** Mostly seconds, now and then up to two minutes. */
export function pauseMs(random: SeededRandom, { tempo }: Pace): number {
  const ms = random.chance(0.1) ? random.int(120_000) : random.int(4_000);
  return Math.floor(ms / tempo);
}
