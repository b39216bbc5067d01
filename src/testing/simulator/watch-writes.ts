import { stockTarget } from '../../core/stock.ts';
import type { Db } from '../../db/database.ts';
import { findProduct, findVariant, listBindingsOfVariant } from '../../db/readers/hub-rows.ts';
import { findPair } from '../../db/readers/pairs.ts';
import { listBindingsByStock } from '../../db/readers/products.ts';
import type { StoreId } from '../../model/ids.ts';
import type { PairSettings } from '../../model/pair.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Connector, StockWrite } from '../../ports/connector.ts';
import type { Violation } from './check.ts';

export interface WatchOptions {
  readonly db: Db;
  readonly storeId: StoreId;
  /** A dead process still has requests on its stack; they go nowhere. */
  readonly clock: Pick<Clock, 'now'> & { isAlive(): boolean };
  readonly onBreach: (breach: Violation) => void;
  /** Those of the simulator's pair that a pass may have begun with which does something at that time. */
  readonly settingsHeld: (at: number) => readonly PairSettings[];
}

/**
 * [S3][S4][S5][T2] Looks at each stock write at the moment at which it leaves: its intent is stored, and it publishes no more than the lower bound
 * while the other side's intent is in doubt. At the end of a seed nothing of that can be told any more.
 */
export function watchStockWrites<C extends Connector>(connector: C, options: WatchOptions): C {
  const methods = new Map<PropertyKey, unknown>();
  const writeStock = (writes: readonly StockWrite[], ...until: readonly AbortSignal[]) => {
    if (options.clock.isAlive()) for (const write of writes) judge(connector, write, options);
    return connector.writeStock(writes, ...until);
  };
  return new Proxy(connector, {
    get(target, name) {
      const known = methods.get(name);
      if (known !== undefined) return known;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = name === 'writeStock' ? writeStock : value.bind(target);
      methods.set(name, method);
      return method;
    },
  });
}

function judge(
  connector: Connector,
  write: StockWrite,
  { db, storeId, clock, onBreach, settingsHeld }: WatchOptions,
): void {
  const about = `${connector.platform} ${write.stockId}: a write of ${write.to}`;
  const binding = listBindingsByStock(db, storeId, write.stockId).find(({ intentKey }) => intentKey === write.key);
  if (binding === undefined) {
    onBreach({ invariant: 'S4 intent before effect', message: `${about} left without a stored intent of its key` });
    return;
  }
  if (binding.intentFrom !== write.expected || binding.intentTo !== write.to)
    onBreach({
      invariant: 'S4 intent before effect',
      message: `${about} expecting ${write.expected} is not what its intent says: ${binding.intentFrom} -> ${binding.intentTo}`,
    });
  // A repeat says what was decided then.
  if (binding.intentSentAt !== clock.now()) return;
  const variant = findVariant(db, binding.variantId);
  const other = listBindingsOfVariant(db, binding.variantId).find((row) => row.side !== binding.side);
  if (variant === null || other === undefined) return;
  const backorders = findProduct(db, variant.productId)?.data.variants[variant.id]?.backorders ?? 'no';
  const settings = findPair(db, binding.pairId)?.settings;
  if (settings === undefined) return;
  const at = clock.now();
  // The last of those is the one that holds now, which each pair has for itself.
  const held = [settings, ...settingsHeld(at).slice(0, -1)];
  if (!held.some(({ syncInventory }) => syncInventory))
    onBreach({ invariant: 'R10 areas', message: `${about} was begun although stock is switched off` });
  const target = Math.max(...held.map((one) => stockTarget(variant.quantity + other.provisional, backorders, one)));
  if (write.to > target)
    onBreach({
      invariant: 'S5 open intents',
      message: `${about}, where ${target} is the most that is certain (hub ${variant.quantity}, ${other.side} may have moved by ${other.provisional})`,
    });
}
