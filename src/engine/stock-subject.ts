import { findProduct, findVariant, listBindingsOfVariant } from '../db/readers/hub-rows.ts';
import type { ProductRow, VariantBindingRow, VariantRow } from '../db/schema/product.ts';
import type { ConnectorError } from '../model/connector-error.ts';
import type { JobOutcome } from '../model/job.ts';
import type { PerSide, Side } from '../model/platform.ts';
import type { EngineContext } from './context.ts';
import { outcomeOfRead } from './outcome.ts';

/** One variant on its way through a pass. */
export interface StockSubject {
  readonly variantId: VariantRow['id'];
  readonly observe: Set<Side>;
  /** When the answer with a side's last reading came, ms. */
  readonly readAt: Partial<Record<Side, number>>;
  outcome: JobOutcome | null;
  /** When an open intent can be settled that had to wait for others of its call. Meanwhile the rest of the pass goes on. */
  later: JobOutcome | null;
  /** A side refused its write for good. It ends the job only where nothing else does: the other side still gets its own. */
  refusal: JobOutcome | null;
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

/** Sets a subject's outcome after a call failed as a whole; the first failure of a subject is kept. */
export function failSubjects(subjects: readonly StockSubject[], error: ConnectorError): void {
  for (const subject of subjects) subject.outcome ??= outcomeOfRead(error);
}
