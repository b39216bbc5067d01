import type { Mark } from '../../model/snapshot.ts';

/** Everything that can happen to the platform's records. */
export type LedgerKind =
  | 'add_product'
  | 'add_variant'
  | 'delete_variant'
  | 'archive_variant'
  | 'set_field'
  | 'set_mark'
  | 'sell'
  | 'restock'
  | 'recount'
  | 'set_stock'
  | 'set_tracked'
  | 'unstock'
  | 'trash'
  | 'restore'
  | 'delete'
  /** A write item of ours that landed, whatever it changed: what echo bounds are counted by. The registers that it set follow as `set_field`. */
  | 'write_landed';

/**
 * One effect on the platform, in the order in which effects happened there: append only, the truth that checkers reason from.
 * `by: 'outside'`: merchant or shopper. `by: 'us'`: a request of the connector, landed.
 */
export interface LedgerEntry {
  /** 1, 2, 3, ...: the version of the platform after this effect. */
  readonly seq: number;
  /** True (virtual) time of the effect, ms; no store's skew in it. */
  readonly at: number;
  readonly by: 'outside' | 'us';
  readonly kind: LedgerKind;
  readonly productId: string;
  readonly variantId: string | null;
  readonly stockId: string | null;
  /** The register, for `set_field`. */
  readonly field: string | null;
  /** The value overwritten: a quantity for stock kinds, the register's value for `set_field`. */
  readonly from: unknown;
  readonly to: unknown;
  /** The rest is null for outside changes. */
  readonly write: WriteFacts | null;
}

export interface WriteFacts {
  readonly operation: string;
  /** Same for all entries of one request. */
  readonly requestId: number;
  readonly sentAt: number;
  /** Landed after our side had stopped waiting. */
  readonly isLate: boolean;
  /** Stock writes. */
  readonly key: string | null;
  readonly expected: number | null;
  /** Creates and first links. */
  readonly mark: Mark | null;
  /**
   * The platform's version at the last moment whose value of this item we can have known when we sent: the handling of the last read, or
   * the landing of the last write, whose answer had come. Null: never read. An outside change after it is inside the window.
   */
  readonly knownSeq: number | null;
  /** When the last answer had come. */
  readonly knownAt: number | null;
  /** The outside entry whose value of this register or quantity is overwritten here; null when the value was ours or is kept. */
  readonly overwroteSeq: number | null;
}

export type NewEntry = Omit<LedgerEntry, 'seq' | 'at'>;

export class Ledger {
  readonly entries: LedgerEntry[] = [];
  readonly #byItem = new Map<string, LedgerEntry[]>();

  /** Version of the platform: the number of the last effect. */
  get seq(): number {
    return this.entries.length;
  }

  append(at: number, entry: NewEntry): LedgerEntry {
    const numbered: LedgerEntry = { seq: this.entries.length + 1, at, ...entry };
    this.entries.push(numbered);
    this.#index(entry.productId, numbered);
    if (entry.stockId !== null) this.#index(entry.stockId, numbered);
    return numbered;
  }

  /** Entries of one product (its variants' included), or of one stock item. */
  of(productOrStockId: string): readonly LedgerEntry[] {
    return this.#byItem.get(productOrStockId) ?? [];
  }

  #index(id: string, entry: LedgerEntry): void {
    const list = this.#byItem.get(id);
    if (list) list.push(entry);
    else this.#byItem.set(id, [entry]);
  }
}
