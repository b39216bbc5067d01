import type { OrderLine, OrderRecord } from './order-records.ts';
import { saveProduct, stockHolder } from './product-rules.ts';
import type { ProductRecord } from './records.ts';
import type { Site } from './site.ts';

const REDUCING: readonly string[] = ['processing', 'completed', 'on-hold'];
const RESTORING: readonly string[] = ['cancelled', 'pending'];
const REDUCED_KEY = '_reduced_stock';

function lineProduct(site: Site, line: OrderLine): ProductRecord | undefined {
  return site.products.find(line.variationId || line.productId);
}

function reducedOf(line: OrderLine): number {
  return Number(line.meta.find((entry) => entry.key === REDUCED_KEY)?.value ?? 0);
}

function setReduced(site: Site, line: OrderLine, quantity: number): void {
  const kept = line.meta.filter((entry) => entry.key !== REDUCED_KEY);
  line.meta =
    quantity === 0 ? kept : [...kept, { id: site.products.nextMetaId(), key: REDUCED_KEY, value: String(quantity) }];
}

/** Changes the number of whoever manages it, and saves that product: its date moves and its hooks fire. */
function moveStock(site: Site, line: OrderLine, delta: number): boolean {
  const product = lineProduct(site, line);
  const holder = product && stockHolder(site, product);
  if (!holder || delta === 0) return false;
  holder.stock = (holder.stock ?? 0) + delta;
  saveProduct(site, holder);
  return true;
}

/** Runs after every change of status. `isStockReduced`, sent by a client or left by an earlier run, stops a second reduction. */
export function followStatus(site: Site, order: OrderRecord): void {
  if (REDUCING.includes(order.status) && !order.isStockReduced) {
    for (const line of order.lines) {
      if (line.quantity > 0 && moveStock(site, line, -line.quantity)) setReduced(site, line, line.quantity);
    }
    order.isStockReduced = true;
  }
  if (RESTORING.includes(order.status) && order.isStockReduced) {
    for (const line of order.lines) {
      if (moveStock(site, line, reducedOf(line))) setReduced(site, line, 0);
    }
    order.isStockReduced = false;
  }
}

/** A line of an order that has taken its stock was added, changed or removed (quantity 0): the difference follows. */
export function adjustLine(site: Site, order: OrderRecord, line: OrderLine): void {
  if (!REDUCING.includes(order.status)) return;
  const before = reducedOf(line);
  if (moveStock(site, line, before - line.quantity)) setReduced(site, line, line.quantity);
}

/** Sales are counted once, when an order is first paid for or on its way. */
export function countSales(site: Site, order: OrderRecord): void {
  for (const line of order.lines) {
    const product = site.products.find(line.productId);
    if (product) product.totalSales += line.quantity;
  }
}
