import type { VariantId } from './ids.ts';
import type { PerSide, Side } from './platform.ts';
import type { CanonicalProduct, ProductFields, VariantFields } from './product.ts';
import type { Mark } from './snapshot.ts';

/** By field path (see `core/fields.ts`): which side moved the hub's value last, and when we saw it (ms). */
export type FieldSeen = Readonly<Record<string, { readonly side: Side; readonly at: number }>>;

/** Stock that new variants were sent with: their base, once they are found there. */
export type SentStock = Readonly<Record<VariantId, { readonly tracked: boolean; readonly quantity: number }>>;

/**
 * A product write that was decided and stored before it was sent. `sentAt` null: it was not sent yet, so nothing of it can land. `unanswered`: how many
 * writes of this product to this side in a row, up to this one, were sent and had no answer; left out: none.
 */
export type ProductIntent =
  | {
      readonly type: 'create';
      readonly mark: Mark;
      readonly key: string;
      /** The hub record as it was decided to be created. */
      readonly to: CanonicalProduct;
      readonly stock: SentStock;
      readonly decidedAt: number;
      readonly sentAt: number | null;
      readonly unanswered?: number;
    }
  | {
      readonly type: 'update';
      readonly key: string;
      readonly fields: Partial<ProductFields>;
      readonly variants: Readonly<Record<VariantId, Partial<VariantFields>>>;
      readonly newVariants: readonly VariantId[];
      /** Put away there, because they were removed on the other side. */
      readonly archived: readonly VariantId[];
      /** What was planned of variants whose price is written: `VariantSnapshot.plannedSale`. */
      readonly plannedSales?: Readonly<Record<VariantId, string>>;
      readonly stock: SentStock;
      readonly decidedAt: number;
      readonly sentAt: number | null;
      readonly unanswered?: number;
    };

/**
 * `live`: counted and written · `paused`: tracking differs or changed; nothing is counted or written until a person settles it ·
 * `relinking`: a person has asked for it to be linked again, from two fresh readings ·
 * `restored`: out of a backup; what was sold since stands on both sides, and is counted once, from two fresh readings ·
 * `removed`: the variant was removed on one side; its counterpart is left alone.
 */
export type StockState = 'live' | 'paused' | 'relinking' | 'restored' | 'removed';

/** What a side last held of a variant that was removed there, and the id that it had: a record that was only hidden is shown again under the same. */
export interface RemovedBase {
  readonly side: Side;
  readonly externalId: string;
  /** Null: its stock was not kept the same. */
  readonly quantity: number | null;
  /** What either side was last known to show of it. */
  readonly bases?: PerSide<VariantFields>;
}
