import type { SandboxState } from '../state.ts';
import { createWebhookEvent } from '../webhooks/event.ts';
import type { ChangeSet } from './changes.ts';
import type { ProductRecord } from './records.ts';
import { liveTotal } from './store.ts';

/** Ends an action: stamps the touched records, feeds the search, announces by webhook. */
export function commitChanges(state: SandboxState, changes: ChangeSet): void {
  const { store, searchIndex, config, environment } = state;
  const now = environment.now();
  store.version += 1;

  for (const level of [...changes.levelsUpdated, ...changes.levelsConnected]) {
    level.updatedAt = now;
    const { variant } = level.item;
    if (changes.levelsUpdated.has(level)) holdTotal(variant.product, now, config.totalInventoryLagMs);
    if (changes.cause === 'purchase' || variant.product.isDeleted) continue;
    variant.updatedAt = now;
    changes.productsUpdated.add(variant.product);
  }
  for (const item of changes.itemsUpdated) {
    item.updatedAt = now;
    changes.productsUpdated.add(item.variant.product);
  }
  for (const product of changes.productsCreated) changes.productsUpdated.delete(product);
  for (const product of changes.productsDeleted) changes.productsUpdated.delete(product);
  for (const product of changes.productsUpdated) product.updatedAt = now;
  for (const product of [...changes.productsCreated, ...changes.productsUpdated]) searchIndex.note(product);

  const event = createWebhookEvent(state, now);
  for (const product of changes.productsCreated) event.product('products/create', product);
  for (const item of changes.itemsCreated) event.item('inventory_items/create', item);
  for (const level of changes.levelsConnected) event.level('inventory_levels/connect', level);
  for (const item of changes.itemsUpdated)
    if (!changes.itemsCreated.has(item)) event.item('inventory_items/update', item);
  for (const level of changes.levelsUpdated) event.level('inventory_levels/update', level);
  for (const level of changes.levelsDisconnected) event.level('inventory_levels/disconnect', level);
  for (const product of changes.productsUpdated) event.product('products/update', product);
  for (const product of changes.productsDeleted) event.deletedProduct(product);
  for (const item of changes.itemsDeleted) event.item('inventory_items/delete', item);
  for (const { topic, payload } of changes.announcements) event.send(topic, payload);
}

/** `totalInventory` goes on answering the sum it last knew until the lag has passed (facts, section 6). */
function holdTotal(product: ProductRecord, now: number, lagMs: number): void {
  if (!product.staleTotal || now >= product.staleTotal.until)
    product.staleTotal = { total: product.lastTotal, until: now + lagMs };
  product.lastTotal = liveTotal(product);
}
