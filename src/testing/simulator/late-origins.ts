import { mayLead } from '../../core/direction.ts';
import { rawStatement } from '../../db/raw-statement.ts';
import { type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { StockOrigin } from './check-stock.ts';
import type { World } from './world.ts';

/** A unit as it stood at some moment of the day. */
interface Sample extends StockOrigin {
  readonly productId: string;
  readonly stockIds: PerSide<string>;
}

interface BoundRow {
  readonly id: string;
  readonly productId: string;
  readonly quantity: number;
  readonly woocommerceItem: string;
  readonly woocommerceBase: number;
  readonly shopifyItem: string;
  readonly shopifyBase: number;
}

const boundOnBoth = rawStatement<[], BoundRow>(
  `SELECT variant.id, variant.product_id AS productId, variant.quantity,
     w.stock_id AS woocommerceItem, w.base_quantity AS woocommerceBase, s.stock_id AS shopifyItem, s.base_quantity AS shopifyBase
   FROM variant JOIN product ON product.id = variant.product_id AND product.state = 'live'
   JOIN variant_binding w ON w.variant_id = variant.id AND w.side = 'woocommerce'
   JOIN variant_binding s ON s.variant_id = variant.id AND s.side = 'shopify'
   WHERE variant.stock_state = 'live' AND w.base_tracked = 1 AND s.base_tracked = 1
   AND w.intent_key IS NULL AND s.intent_key IS NULL`,
);

const begunAnew = rawStatement<[since: number], { productId: string }>(
  `SELECT DISTINCT product_id AS productId FROM change
   WHERE seq > ? AND (cause IN ('edit_wins', 'restore', 'gone', 'gone_too', 'delete', 'own_delete') OR cause = 'first_link' AND field = 'stock')`,
);

const lastLine = rawStatement<[], { seq: number }>('SELECT ifnull(max(seq), 0) AS seq FROM change');

/**
 * Where units stand that were met during the day, or whose stock began anew in its midst: what they were linked with is in no ledger, but at any moment at
 * which nothing of ours is under way, the hub's number and what it has not heard of yet are what there is. From then on every sale counts.
 */
export class LateOrigins {
  readonly #samples = new Map<string, Sample>();
  #seen = 0;

  /** Notes where units stand that have no mark (any more). */
  mark({ db, shops, settings }: World): void {
    this.forget(db);
    for (const row of boundOnBoth(db).all()) {
      const stockIds = { woocommerce: row.woocommerceItem, shopify: row.shopifyItem };
      const known = this.#samples.get(row.id);
      if (known !== undefined && SIDES.every((side) => known.stockIds[side] === stockIds[side])) continue;
      const bases = { woocommerce: row.woocommerceBase, shopify: row.shopifyBase };
      let { quantity } = row;
      let isWhole = true;
      for (const side of SIDES) {
        const item = shops[side].shelf.items.get(stockIds[side])?.variant;
        isWhole &&= item?.isTracked === true;
        // [L4][R9] A target whose stock a person has made one-way has no say.
        if (item !== undefined && (settings.stockTwoWay || mayLead(side, settings)))
          quantity += item.quantity - bases[side];
      }
      const from = { woocommerce: shops.woocommerce.shelf.ledger.seq, shopify: shops.shopify.shelf.ledger.seq };
      if (isWhole) this.#samples.set(row.id, { productId: row.productId, stockIds, quantity, from });
    }
  }

  /** Drops what was marked before its stock began anew: linked again, deleted, brought back. */
  forget(db: World['db']): void {
    const anew = new Set(
      begunAnew(db)
        .all(this.#seen)
        .map(({ productId }) => productId),
    );
    this.#seen = lastLine(db).get()?.seq ?? this.#seen;
    for (const [id, { productId }] of this.#samples) if (anew.has(productId)) this.#samples.delete(id);
  }

  of(variantId: string, bindings: Readonly<Record<Side, { readonly stockId: string }>>): StockOrigin | null {
    const sample = this.#samples.get(variantId);
    return sample !== undefined && SIDES.every((side) => sample.stockIds[side] === bindings[side].stockId)
      ? sample
      : null;
  }
}
