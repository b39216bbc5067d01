import { isAreaOn, mayLead } from '../../core/direction.ts';
import { PRODUCT_FIELDS, VARIANT_FIELDS } from '../../core/fields.ts';
import { loadHub } from '../../engine/hub.ts';
import type { ProductId } from '../../model/ids.ts';
import type { Area, PairSettings } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { Violation } from './check.ts';
import type { World } from './world.ts';

/** What a person switched off stays off. */
export function checkSettings(world: World): readonly Violation[] {
  return [...checkAreas(world), ...checkStockSource(world)];
}

/** [R10][T2] An area that is switched off is never written. Records that we made ourselves are whole when they are made. */
function checkAreas(world: World): readonly Violation[] {
  return SIDES.flatMap((side) => {
    const wrong = world.shops[side].shelf.ledger.entries.find((entry) => {
      if (entry.by !== 'us') return false;
      const sentAt = entry.write?.sentAt ?? entry.at;
      const held = world.settingsHeld(sentAt);
      // What was under way when stock was switched off is settled, if need be by a repeat: `watchStockWrites` knows those.
      if (entry.kind === 'set_stock') return !world.settingsHeld(sentAt, 0).some(({ syncInventory }) => syncInventory);
      return (
        entry.kind === 'set_field' && entry.field !== null && !held.some((one) => isFieldOn(one, entry.field ?? ''))
      );
    });
    if (wrong === undefined) return [];
    const message = `${side} ${wrong.productId}: ${wrong.kind} ${wrong.field ?? ''} although its area is switched off`;
    return [{ invariant: 'R10 areas', message }];
  });
}

function isFieldOn(settings: PairSettings, name: string): boolean {
  const specs: Readonly<Record<string, { readonly area: Area }>> = {
    ...PRODUCT_FIELDS,
    ...VARIANT_FIELDS,
  };
  const spec = specs[name];
  return spec === undefined || isAreaOn(spec.area, settings);
}

/** [I7] Where a person has made stock one-way, the source's is never written. */
function checkStockSource(world: World): readonly Violation[] {
  if (world.settings.stockTwoWay || world.settings.syncDirection === 'bidirectional') return [];
  const source: Side = mayLead('woocommerce', world.settings) ? 'woocommerce' : 'shopify';
  const wrong = world.shops[source].shelf.ledger.entries.find(
    (entry) => entry.by === 'us' && entry.kind === 'set_stock',
  );
  return wrong === undefined
    ? []
    : [{ invariant: 'I7 direction', message: `stock of the source was written: ${source} ${wrong.stockId}` }];
}

/** [S7] Right after the first link, before anybody sells: each unit that both shops had holds what the rule makes of the two numbers. */
export function checkLinkedStock(world: World, ids: readonly ProductId[]): readonly Violation[] {
  if (!world.settings.syncInventory) return [];
  const violations: Violation[] = [];
  for (const id of ids) {
    const hub = loadHub(world.db, id);
    if (hub === null) continue;
    for (const variant of hub.variants.values()) {
      const births = SIDES.map((side) => {
        const stockId = hub.variantBindings[side].get(variant.id)?.stockId;
        return stockId === undefined ? undefined : world.shops[side].shelf.ledger.of(stockId)[0];
      });
      const [w, s] = births.map((birth) => (birth?.by === 'outside' && typeof birth.to === 'number' ? birth.to : null));
      if (w === null || w === undefined || s === null || s === undefined || variant.stockState !== 'live') continue;
      if (variant.quantity === linkedQuantity(world.settings, w, s)) continue;
      violations.push({
        invariant: 'S7 first link of stock',
        message: `${variant.sku} had ${w} and ${s}; by rule "${world.settings.stockLinkRule}" the hub holds ${variant.quantity}`,
      });
    }
  }
  return violations;
}

/** Said here once more in its own words: the program's own function would agree with itself, right or wrong. */
function linkedQuantity(settings: PairSettings, woocommerce: number, shopify: number): number {
  const { stockLinkRule, stockTwoWay } = settings;
  // [L4] A source whose stock goes one way is the truth.
  if (!stockTwoWay && !mayLead('shopify', settings)) return woocommerce;
  if (!stockTwoWay && !mayLead('woocommerce', settings)) return shopify;
  if (woocommerce === shopify) return woocommerce;
  const byRule = {
    woocommerce,
    shopify,
    smaller: Math.min(woocommerce, shopify),
    sum: woocommerce + shopify,
  };
  return byRule[stockLinkRule];
}

/** [M3][M4] Right after the first link: a SKU that leads to more than one record has linked none of them. */
export function checkGuesses(world: World): readonly Violation[] {
  const { shelf } = world.shops.shopify;
  return world.muddled.flatMap((sku) =>
    shelf.holdersOf(sku).flatMap(({ product }) => {
      const linked = world.db.connection
        .prepare(
          `SELECT other.external_id AS id FROM product_binding own JOIN product_binding other USING (product_id)
           WHERE own.side = 'shopify' AND own.external_id = ? AND other.side = 'woocommerce'`,
        )
        .get(product.id) as { id: string | null } | undefined;
      if (linked === undefined) return [];
      const message = `shopify ${product.id} was linked by SKU ${sku}, which leads to more than one record, with ${linked.id}`;
      return [{ invariant: 'M3 nothing is guessed', message }];
    }),
  );
}
