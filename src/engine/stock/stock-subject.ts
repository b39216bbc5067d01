import { findProduct, findVariant, listBindingsOfVariant } from '../../db/readers/hub-rows.ts';
import type { ProductRow, VariantBindingRow, VariantRow } from '../../db/schema/product.ts';
import type { ConnectorError } from '../../model/connector-error.ts';
import type { JobOutcome } from '../../model/job.ts';
import { type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { EngineContext } from '../context.ts';
import { DONE, outcomeOfRead } from '../outcome.ts';

/** One variant on its way through a pass. */
export interface StockSubject {
  readonly variantId: VariantRow['id'];
  readonly observe: Set<Side>;
  /** When the answer with a side's last reading came, ms. */
  readonly readAt: Partial<Record<Side, number>>;
  /** What ends the pass for both sides. */
  outcome: JobOutcome | null;
  /** [S3] What a side that can't be read, or doesn't take its write, ends the pass with; the other side goes on without it. */
  readonly ends: Partial<Record<Side, JobOutcome>>;
  /** When an open intent can be settled that had to wait for others of its call. Meanwhile the rest of the pass goes on. */
  later: JobOutcome | null;
  /** [W8] Of a side whose write is settled by this pass from a reading: how many in a row had no answer. */
  readonly unanswered: Partial<Record<Side, number>>;
}

/** The rows of a subject as they stand now. */
export interface StockRows {
  readonly product: ProductRow;
  readonly variant: VariantRow;
  readonly bindings: Partial<PerSide<VariantBindingRow>>;
}

export function loadStock(ctx: EngineContext, variantId: VariantRow['id']): StockRows | null {
  const variant = findVariant(ctx.db, variantId);
  const product = variant === null ? null : findProduct(ctx.db, variant.productId);
  if (variant === null || product === null) return null;
  const bindings: Partial<PerSide<VariantBindingRow>> = {};
  for (const binding of listBindingsOfVariant(ctx.db, variantId)) bindings[binding.side] = binding;
  return { product, variant, bindings };
}

/** A side's reading failed as a whole; its first failure is kept. */
export function failSide(subjects: readonly StockSubject[], side: Side, error: ConnectorError): void {
  for (const subject of subjects) subject.ends[side] ??= outcomeOfRead(error);
}

/** What a pass ends with. Of two sides it is what comes back: sooner from a store that asked for patience than from one that is away. */
export function endOf({ outcome, ends }: StockSubject): JobOutcome {
  const own = SIDES.flatMap((side) => ends[side] ?? []);
  const ofType = (type: JobOutcome['type']) => own.find((end) => end.type === type);
  return outcome ?? ofType('snooze') ?? ofType('retry') ?? own[0] ?? DONE;
}
