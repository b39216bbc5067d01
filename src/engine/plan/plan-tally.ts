import { isStockWritten, type PlanCounts, type SideCounts } from '../../model/plan.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { PlannedItem } from './plan-item.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Counts what a plan would do, item by item. */
export class PlanTally {
  readonly #sides: Record<Side, Mutable<SideCounts>> = { woocommerce: zero(), shopify: zero() };
  #linked = 0;
  #level = 0;
  #ambiguous = 0;
  #skipped = 0;
  #conflicts = 0;
  #unlike = 0;

  add(item: PlannedItem): void {
    this.#conflicts += item.data.conflicts;
    if (item.data.unlike !== undefined) this.#unlike += 1;
    switch (item.action) {
      case 'link':
        this.#linked += 1;
        break;
      case 'none':
        this.#level += 1;
        break;
      case 'ambiguous':
        this.#ambiguous += 1;
        break;
      case 'skip':
        this.#skipped += 1;
        break;
      case 'create':
        if (item.data.side !== null) this.#sides[item.data.side].create += 1;
        return;
      case 'archive':
        if (item.data.side !== null) this.#sides[item.data.side].archive += 1;
        return;
      case 'update':
        break;
    }
    for (const side of SIDES) {
      if (item.data.fields.some((field) => field.side === side)) this.#sides[side].update += 1;
      this.#sides[side].stock += item.data.stock.filter((line) => isStockWritten(line, side)).length;
    }
  }

  /** Nothing to link, create, write or decide. */
  isQuiet(): boolean {
    const writes = SIDES.some((side) => Object.values(this.#sides[side]).some((count) => count > 0));
    return !writes && this.#linked === 0 && this.#conflicts === 0;
  }

  counts(): PlanCounts {
    return {
      woocommerce: { ...this.#sides.woocommerce },
      shopify: { ...this.#sides.shopify },
      linked: this.#linked,
      level: this.#level,
      ambiguous: this.#ambiguous,
      skipped: this.#skipped,
      conflicts: this.#conflicts,
      unlike: this.#unlike,
      read: { woocommerce: 0, shopify: 0 },
    };
  }
}

function zero(): Mutable<SideCounts> {
  return { create: 0, update: 0, archive: 0, stock: 0 };
}
