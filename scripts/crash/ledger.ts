import type { Side } from './books.ts';

export interface Entry {
  /** Nobody sells it in the other store. */
  readonly soldIn: Side;
  truth: number;
  /** Whether the webhook of the latest sale was answered with 200; null before the first. */
  isAcknowledged: boolean | null;
}

/** What was sold, and what the server said it had stored. */
export class Ledger {
  readonly entries = new Map<string, Entry>();
  acknowledged = 0;
  unanswered = 0;

  /** `skus`: which are sold where. */
  constructor(skus: ReadonlyMap<string, Side>, initial: ReadonlyMap<string, number>) {
    for (const [sku, soldIn] of skus)
      this.entries.set(sku, { soldIn, truth: initial.get(sku) ?? Number.NaN, isAcknowledged: null });
  }

  sold(sku: string, delta: number): Entry {
    const entry = this.entries.get(sku);
    if (entry === undefined) throw new Error(`nobody sells ${sku}`);
    entry.truth += delta;
    entry.isAcknowledged = false;
    return entry;
  }

  soldIn(sku: string): Side | null {
    return this.entries.get(sku)?.soldIn ?? null;
  }

  /** SKUs among those that are asked for, of which a store holds something else than was left after all sales. */
  differing(isAsked: (entry: Entry) => boolean, ...stores: readonly ReadonlyMap<string, number>[]): readonly string[] {
    return [...this.entries].flatMap(([sku, entry]) =>
      !isAsked(entry) || stores.every((stock) => stock.get(sku) === entry.truth) ? [] : [sku],
    );
  }
}
