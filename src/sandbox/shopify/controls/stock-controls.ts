import type { SandboxState } from '../state.ts';
import { type ChangeSet, createChangeSet } from '../store/changes.ts';
import { gidOf } from '../store/ids.ts';
import { centsOf, centsText } from '../store/money.ts';
import { connectLevel, setQuantity, shiftQuantity } from '../store/product-writes.ts';
import type { LevelRecord, OrderRecord, VariantRecord } from '../store/records.ts';
import { levelAt, onHand, variantTitle } from '../store/store.ts';
import { locationPayload, timeWriter } from '../webhooks/payloads.ts';
import { orderPayload } from '../webhooks/shop-payloads.ts';
import { findLocation, findVariant } from './find.ts';

export interface OrderLine {
  /** Gid of a variant, or a SKU. */
  readonly variant: string;
  readonly quantity: number;
}

export interface PlacedOrder {
  readonly orderId: string;
  readonly name: string;
}

export interface LevelSnapshot {
  readonly locationId: string;
  readonly available: number;
  readonly onHand: number;
  readonly committed: number;
  readonly isActive: boolean;
}

export interface StockControls {
  /** A shopper buys: `available` falls, `committed` rises. Fires inventory_levels/update and orders/create, not products/update. */
  placeOrder(lines: readonly OrderLine[], buyer?: { email?: string }): PlacedOrder;
  /** The goods leave: `committed` and with it `on_hand` fall. */
  fulfillOrder(orderId: string): void;
  /** Staff add to the shelf. Fires inventory_levels/update and products/update. */
  restock(variant: string, delta: number, locationId?: string): void;
  /** Staff count the shelf. */
  recount(variant: string, available: number, locationId?: string): void;
  /** Staff do not keep it at this place any more; another one has to be left. */
  unstock(variant: string, locationId: string): void;
  levelsOf(variant: string): LevelSnapshot[];
  addLocation(name: string): string;
  deactivateLocation(locationId: string): void;
  activateLocation(locationId: string): void;
}

export function createStockControls(state: SandboxState): StockControls {
  const { store } = state;
  const edit = (
    ref: string,
    locationId: string | undefined,
    work: (level: LevelRecord, changes: ChangeSet) => void,
  ) => {
    const changes = createChangeSet();
    const { item } = findVariant(state, ref);
    work(connectLevel(store, item, findLocation(state, locationId), state.environment.now(), changes), changes);
    state.commit(changes);
  };

  return {
    placeOrder(lines, buyer = {}) {
      const changes = createChangeSet('purchase');
      const now = state.environment.now();
      const bought = lines.map((line) => ({ variant: findVariant(state, line.variant), quantity: line.quantity }));
      const picks = bought.map(({ variant, quantity }) => ({ level: pickLevel(state, variant, quantity), quantity }));
      for (const { level, quantity } of picks) {
        if (!level) continue;
        shiftQuantity(level, 'available', -quantity, changes);
        shiftQuantity(level, 'committed', quantity, changes);
      }
      const total = bought.reduce((sum, { variant, quantity }) => sum + centsOf(variant.price) * BigInt(quantity), 0n);
      const order: OrderRecord = {
        type: 'Order',
        id: store.newId('Order'),
        number: 1001 + store.orders.size,
        email: buyer.email ?? 'shopper@example.com',
        lines: bought.map(({ variant, quantity }) => ({
          type: 'LineItem',
          id: store.newId('LineItem'),
          productId: variant.product.id,
          variantId: variant.id,
          title: variant.product.title,
          variantTitle: variantTitle(variant) === 'Default Title' ? null : variantTitle(variant),
          sku: variant.item.sku,
          vendor: variant.product.vendor,
          quantity,
          unitPrice: variant.price,
          grams: gramsOf(variant),
          requiresShipping: variant.item.requiresShipping,
          taxable: variant.taxable,
        })),
        total: centsText(total),
        createdAt: now,
        updatedAt: now,
      };
      store.orders.set(order.id, order);
      changes.announcements.push({ topic: 'orders/create', payload: orderPayload(state, order) });
      state.commit(changes);
      return { orderId: gidOf('Order', order.id), name: `#${order.number}` };
    },
    fulfillOrder(orderId) {
      const order = [...store.orders.values()].find((candidate) => gidOf('Order', candidate.id) === orderId);
      if (!order) throw new Error(`no order ${orderId}`);
      for (const line of order.lines) {
        // `available` does not move here, so no webhook tells of it.
        const level = store.variants
          .get(line.variantId)
          ?.item.levels.find((candidate) => candidate.quantities.committed >= line.quantity);
        if (level) level.quantities.committed -= line.quantity;
      }
      order.updatedAt = state.environment.now();
      state.commit(createChangeSet());
    },
    restock: (ref, delta, locationId) =>
      edit(ref, locationId, (level, changes) => shiftQuantity(level, 'available', delta, changes)),
    recount: (ref, available, locationId) =>
      edit(ref, locationId, (level, changes) => setQuantity(level, 'available', available, changes)),
    unstock: (ref, locationId) =>
      edit(ref, locationId, (level, changes) => {
        if (level.item.levels.filter((other) => other.isActive).length === 1)
          throw new Error('an item is stocked at one location at least');
        level.isActive = false;
        changes.levelsDisconnected.add(level);
      }),
    levelsOf: (ref) =>
      findVariant(state, ref).item.levels.map((level) => ({
        locationId: gidOf('Location', level.location.id),
        available: level.quantities.available,
        onHand: onHand(level),
        committed: level.quantities.committed,
        isActive: level.isActive,
      })),
    addLocation(name) {
      const now = state.environment.now();
      const location = {
        type: 'Location' as const,
        id: store.newId('Location'),
        name,
        isActive: true,
        isFulfillmentService: false,
        createdAt: now,
        updatedAt: now,
      };
      store.locations.set(location.id, location);
      announceLocation(state, 'locations/create', location.id);
      return gidOf('Location', location.id);
    },
    deactivateLocation: (locationId) => switchLocation(state, locationId, false),
    activateLocation: (locationId) => switchLocation(state, locationId, true),
  };
}

function switchLocation(state: SandboxState, locationId: string, isActive: boolean): void {
  const location = findLocation(state, locationId);
  location.isActive = isActive;
  location.updatedAt = state.environment.now();
  announceLocation(state, isActive ? 'locations/activate' : 'locations/deactivate', location.id);
}

function announceLocation(state: SandboxState, topic: string, id: number): void {
  const location = state.store.locations.get(id);
  if (!location) return;
  const changes = createChangeSet();
  changes.announcements.push({
    topic,
    payload: locationPayload(location, state.config.shop.countryCode, timeWriter(state.config.shop.ianaTimezone)),
  });
  state.commit(changes);
}

/** The location that has enough; with none, the first level goes below zero if overselling is allowed. Untracked: no level moves. */
function pickLevel(state: SandboxState, variant: VariantRecord, quantity: number): LevelRecord | null {
  if (!variant.item.tracked) return null;
  const levels = variant.item.levels.filter((level) => level.isActive && level.location.isActive);
  const enough = levels.find((level) => level.quantities.available >= quantity);
  if (enough) return enough;
  if (variant.inventoryPolicy === 'DENY') throw new Error(`${variant.item.sku ?? variant.id} is sold out`);
  return levels[0] ?? levelAt(variant.item, findLocation(state, undefined).id);
}

function gramsOf(variant: VariantRecord): number {
  const { unit, value } = variant.item.weight;
  return Math.round(value * { GRAMS: 1, KILOGRAMS: 1000, OUNCES: 28.349523125, POUNDS: 453.59237 }[unit]);
}
