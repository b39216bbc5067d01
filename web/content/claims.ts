/** Everything that the public pages claim in numbers, and by what it is so. A claim without a basis is never shown. */
export interface Claim {
  readonly value: string;
  readonly label: string;
  /** How anyone can check it; null: nobody can, so it is not said. */
  readonly basis: string | null;
}

/** The strip under the headline, best first; the first four with a basis are shown. */
export const FACTS: readonly Claim[] = [
  { value: '500+', label: 'stores kept level', basis: null },
  { value: '99.9%', label: 'sync accuracy', basis: null },
  { value: '$2.1M+', label: 'revenue protected', basis: null },
  { value: '15 minutes', label: 'from the first page to a live pair', basis: null },
  {
    value: '10 \u2212 1 \u2212 1 = 8',
    label: 'both stores sell one: stock is counted, not copied',
    basis: 'src/core/SPEC.md, played by the simulator',
  },
  {
    value: '0 writes',
    label: 'to your products before you have seen the first plan',
    basis: 'the first link waits for "Apply"',
  },
  { value: '1 process', label: 'one SQLite file, on a machine of yours', basis: 'npm start' },
  { value: '0 trackers', label: 'it talks to your two stores, and to whom you tell it to', basis: 'SECURITY.md' },
];

/**
 * The one place for what `npm run bench` gave when it was last run (2026-11, two shared cores): of several runs and both directions the worst, so that no
 * figure is better than what was measured. Own time is at 50 events a second, all time taken out in which a store was asked anything.
 */
const LAST_MEASURED = { ownTimeP50Ms: 4.5, ownTimeP99Ms: 15.4, idleMb: 99 } as const;

export const MEASURED: readonly Claim[] = [
  {
    value: `${LAST_MEASURED.ownTimeP50Ms} ms`,
    label: `median of our own time from a webhook to its write: that in which no store was being asked anything; 99 of 100 within ${LAST_MEASURED.ownTimeP99Ms} ms`,
    basis: 'npm run bench -- latency',
  },
  { value: '1,000', label: 'webhooks at once: all stored, all applied', basis: 'npm run bench -- intake' },
  {
    value: `${LAST_MEASURED.idleMb} MB`,
    label: 'of memory when nothing is to be done, without the demo',
    basis: 'npm run bench -- start',
  },
  { value: 'under 50 ms', label: 'sync latency', basis: null },
  { value: '1000+', label: 'operations at the same time', basis: null },
  { value: '256 MB', label: 'of memory on a free hosting tier', basis: null },
  { value: '0', label: 'acknowledged events lost in the crash test', basis: 'scripts/crash-test.ts' },
];

/** What the licence is said to gain. At the prices that stand beside it, one workspace breaks even after 4.2 years. */
export const GAINS: readonly Claim[] = [
  { value: '4.2 months', label: 'Break-even', basis: null },
  { value: '$7,200+ over 3 years', label: 'Savings', basis: null },
];

export interface Testimonial {
  readonly quote: string;
  readonly name: string;
  readonly role: string;
  /** Where the person said so, or that they agreed in writing. */
  readonly source: string;
}

/** Words of real people who agreed to be quoted. While there are none, the page says so. */
export const TESTIMONIALS: readonly Testimonial[] = [];

export function withBasis(claims: readonly Claim[]): readonly Claim[] {
  return claims.filter(({ basis }) => basis !== null);
}
