import { writeMeta } from './meta.ts';
import type { ProductRecord } from './records.ts';
import type { Site } from './site.ts';

/** Stock fields of a product that is not managed are cleared; a managed one's status follows its number. */
function settleStock(record: ProductRecord): void {
  if (!record.manageStock) {
    record.stock = null;
    record.backorders = 'no';
    if (record.rare.lowStockAmount !== null) record.rare = { ...record.rare, lowStockAmount: null };
    return;
  }
  record.stock ??= 0;
  if (record.stock > 0) record.stockStatus = 'instock';
  else record.stockStatus = record.backorders === 'no' ? 'outofstock' : 'onbackorder';
}

/** A variable product without a number of its own is in stock when one of its variations is. */
function syncVariableStock(site: Site, parent: ProductRecord): void {
  if (parent.type !== 'variable' || parent.manageStock) return;
  const statuses = new Set(publishedVariations(site, parent).map((child) => stockStatusOf(site, child)));
  if (statuses.has('instock')) parent.stockStatus = 'instock';
  else parent.stockStatus = statuses.has('onbackorder') ? 'onbackorder' : 'outofstock';
}

export function publishedVariations(site: Site, parent: ProductRecord): ProductRecord[] {
  const found: ProductRecord[] = [];
  for (const id of parent.variationIds) {
    const child = site.products.find(id);
    if (child?.status === 'publish') found.push(child);
  }
  return found;
}

/**
 * Saves any change: the modification date moves even if nothing changed, and hooks fire. A variation touches its parent. What is new has the date that it
 * is made with as the one of its change, too, be it past or to come.
 */
export function saveProduct(site: Site, record: ProductRecord, isNew = false): void {
  settleStock(record);
  syncVariableStock(site, record);
  record.modifiedS = isNew ? record.createdS : site.nowS();
  if (record.status === 'future') site.scheduled.add(record);
  site.products.version++;
  site.fire(isNew ? 'product.created' : 'product.updated', record.id);
  const parent = record.type === 'variation' ? site.products.find(record.parentId) : undefined;
  if (parent) saveProduct(site, parent);
}

/** WordPress notes it beside the post; WooCommerce shows it among the meta entries. */
const STATUS_BEFORE_TRASH = '_wp_trash_meta_status';

export function trashProduct(site: Site, record: ProductRecord): void {
  record.statusBeforeTrash = record.status;
  record.status = 'trash';
  writeMeta(site, record, [{ key: STATUS_BEFORE_TRASH, value: record.statusBeforeTrash }]);
  record.modifiedS = site.nowS();
  site.products.version++;
  site.fire('product.deleted', record.id);
  for (const id of record.variationIds) {
    const child = site.products.find(id);
    if (child && child.status !== 'trash') trashProduct(site, child);
  }
}

/** What a person does in the admin area. A new status by the API is none of this: the variations stay in the trash. */
export function restoreProduct(site: Site, record: ProductRecord): void {
  record.status = record.statusBeforeTrash || 'draft';
  if (record.type !== 'variation') site.products.makeUnique(record);
  writeMeta(site, record, [{ key: STATUS_BEFORE_TRASH, value: null }]);
  record.modifiedS = site.nowS();
  site.products.version++;
  site.fire('product.restored', record.id);
  for (const id of record.variationIds) {
    const child = site.products.find(id);
    if (child?.status === 'trash') restoreProduct(site, child);
  }
}

/** For good, as a product that is variable no longer loses them. */
export function deleteVariations(site: Site, record: ProductRecord): void {
  for (const id of record.variationIds) {
    const child = site.products.find(id);
    if (child) site.products.remove(child);
  }
  record.variationIds = [];
}

/** Deleting past the trash tells nobody, and neither does it for the variations that go along. */
export function deleteProduct(site: Site, record: ProductRecord): void {
  deleteVariations(site, record);
  site.products.remove(record);
  const parent = record.type === 'variation' ? site.products.find(record.parentId) : undefined;
  if (parent) parent.variationIds = parent.variationIds.filter((id) => id !== record.id);
}

export function isOnSale(record: ProductRecord, nowS: number): boolean {
  if (record.salePrice === '' || Number(record.regularPrice) <= Number(record.salePrice)) return false;
  if (record.saleFromS !== null && record.saleFromS > nowS) return false;
  return record.saleToS === null || record.saleToS >= nowS;
}

export function activePrice(record: ProductRecord, nowS: number): string {
  return isOnSale(record, nowS) ? record.salePrice : record.regularPrice;
}

/** True, false, or "parent" for a variation that leaves its stock to a managing parent. */
export function managedBy(site: Site, record: ProductRecord): boolean | 'parent' {
  if (record.manageStock || record.type !== 'variation') return record.manageStock;
  return site.products.find(record.parentId)?.manageStock === true ? 'parent' : false;
}

/** The record that holds the number: itself, its parent, or none. */
export function stockHolder(site: Site, record: ProductRecord): ProductRecord | undefined {
  const managed = managedBy(site, record);
  if (managed === 'parent') return site.products.find(record.parentId);
  return managed ? record : undefined;
}

export function stockStatusOf(site: Site, record: ProductRecord): string {
  return stockHolder(site, record)?.stockStatus ?? record.stockStatus;
}
