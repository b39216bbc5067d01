import { withDatabase } from './database.ts';

interface Entry {
  truth: number;
  /** Whether the webhook of the latest sale was answered with 200; null before the first. */
  isAcknowledged: boolean | null;
}

/** What was sold, and what the server said it had stored. */
export class Ledger {
  readonly entries = new Map<string, Entry>();
  acknowledged = 0;
  unanswered = 0;

  constructor(initial: ReadonlyMap<string, number>) {
    for (const [sku, quantity] of initial) this.entries.set(sku, { truth: quantity, isAcknowledged: null });
  }

  sold(sku: string, delta: number): Entry {
    const entry = this.entries.get(sku);
    if (entry === undefined) throw new Error(`nobody sells ${sku}`);
    entry.truth += delta;
    entry.isAcknowledged = false;
    return entry;
  }

  /** SKUs of which a store holds something else than was left after all sales. */
  differing(...stores: readonly ReadonlyMap<string, number>[]): readonly string[] {
    return [...this.entries].flatMap(([sku, { truth }]) =>
      stores.every((stock) => stock.get(sku) === truth) ? [] : [sku],
    );
  }
}

/** Of these SKUs, those for which work is noted in the database. */
export function withWork(dataDir: string, skus: readonly string[]): ReadonlySet<string> {
  return withDatabase(dataDir, (database) => {
    const find = database.prepare(
      `SELECT 1 FROM variant v JOIN job j ON j.key IN
         ('stock:' || v.pair_id || ':' || v.id, 'product:' || v.pair_id || ':' || v.product_id)
       WHERE v.sku = ? LIMIT 1`,
    );
    return new Set(skus.filter((sku) => find.get(sku) !== undefined));
  });
}
