import { idText } from '../shared/exact-json.ts';
import type { BatchItem } from './batch.ts';
import { joinBodies } from './export-mapper.ts';
import { barcodeMeta, skuMeta } from './marks.ts';

/** What WooCommerce keeps for one record of the shop alone, and the meta entry in which it is kept while it is cleared. */
export const CODES = [
  { field: 'sku', param: 'sku', keep: skuMeta },
  { field: 'barcode', param: 'global_unique_id', keep: barcodeMeta },
] as const;
export type Code = (typeof CODES)[number];

/** The codes that a record has in the fields of WooCommerce itself; '': none. */
export type HeldCodes = Readonly<Record<Code['field'], string>>;

export interface CodeOrder {
  /** Variations that let go of a code before any other is written. */
  readonly released: readonly BatchItem[];
  readonly variations: readonly BatchItem[];
}

/**
 * SKUs and barcodes that pass from one variation to another within a write. WooCommerce takes a batch item by item and refuses a code that another one
 * still has: who gives one up goes first, and where that leads round in a circle, one of them is cleared beforehand. Its old code is kept in a meta entry
 * meanwhile, and read as if it were there: what a crash leaves is nobody's edit, and is written again. Should it not be due any more, the next change of
 * the product gives the SKU back; the barcode stays where it is kept. `held`: by id, as they are.
 */
export function orderByCodes(items: readonly BatchItem[], held: ReadonlyMap<string, HeldCodes>): CodeOrder {
  const givers = new Map<string, BatchItem>();
  const heldBy = ({ body }: BatchItem, { field }: Code) => held.get(idText(body['id']) ?? '')?.[field] ?? '';
  for (const item of items) {
    for (const code of CODES) {
      const [old, wanted] = [heldBy(item, code), item.body[code.param]];
      if (old !== '' && typeof wanted === 'string' && wanted !== old) givers.set(keyOf(code, old), item);
    }
  }
  const giverTo = ({ verb, body }: BatchItem, code: Code) => {
    const wanted = body[code.param];
    return verb === 'update' && typeof wanted === 'string' ? givers.get(keyOf(code, wanted)) : undefined;
  };
  const released = new Map<BatchItem, readonly Code[]>();
  const ordered = new Set<BatchItem>();
  const place = (item: BatchItem, waiting: ReadonlySet<BatchItem>) => {
    for (const code of CODES) {
      const giver = giverTo(item, code);
      if (giver === undefined || giver === item || ordered.has(giver)) continue;
      if (waiting.has(giver)) released.set(giver, [...new Set([...(released.get(giver) ?? []), code])]);
      else place(giver, new Set([...waiting, item]));
    }
    ordered.add(item);
  };
  for (const item of items) if (!ordered.has(item)) place(item, new Set());
  return {
    released: [...released].map(([item, codes]) =>
      codes
        .map((code) => withCodeCleared(item, code, heldBy(item, code)))
        .reduce((all, one) => ({ verb: 'update', body: joinBodies(all.body, one.body) })),
    ),
    variations: [...ordered].map((item) =>
      (released.get(item) ?? []).reduce((settled, code) => withCodeSettled(settled, code), item),
    ),
  };
}

/** The change by which a record lets go of a code, which is kept on it meanwhile. */
export function withCodeCleared({ body: { id } }: BatchItem, { param, keep }: Code, held: string): BatchItem {
  return { verb: 'update', body: { id, [param]: '', meta_data: [keep(held)] } };
}

/** The change after which the code that was kept for a record means nothing; it is given back where no other one comes. */
export function withCodeSettled({ verb, body }: BatchItem, { param, keep }: Code, kept?: string): BatchItem {
  const own = kept === undefined ? {} : { [param]: kept };
  return { verb, body: joinBodies({ ...own, ...body }, { meta_data: [keep('')] }) };
}

/** The database's own comparison ignores letter case. */
function keyOf({ param }: Code, value: string): string {
  return `${param} ${value.trim().toLowerCase()}`;
}
