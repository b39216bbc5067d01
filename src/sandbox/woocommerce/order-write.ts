import { absInt, formatDecimal, money, toInt, toText } from './decimal.ts';
import { asList, isObject, isSet, type Json, type JsonObject, type Params } from './json.ts';
import { mergeMeta } from './meta.ts';
import type { OrderLine, OrderRecord } from './order-records.ts';
import { adjustLine, countSales, followStatus } from './order-stock.ts';
import { sanitizeText } from './php-text.ts';
import { activePrice } from './product-rules.ts';
import type { ProductRecord } from './records.ts';
import { RestError } from './rest-error.ts';
import type { Site } from './site.ts';
import { choiceLabel } from './variation-write.ts';

const STOCK_FLAG = '_order_stock_reduced';
const BILLING = [
  'first_name',
  'last_name',
  'company',
  'address_1',
  'address_2',
  'city',
  'state',
  'postcode',
  'country',
  'email',
  'phone',
];
const SHIPPING = BILLING.filter((key) => key !== 'email');
const PAID: readonly string[] = ['processing', 'completed'];

export function insertOrder(site: Site, params: Params, createdVia: string): OrderRecord {
  const nowS = site.nowS();
  const order: OrderRecord = {
    id: site.products.nextPostId(),
    status: 'pending',
    statusBeforeTrash: '',
    currency: site.settings.currency,
    createdS: nowS,
    modifiedS: nowS,
    completedS: null,
    paidS: null,
    customerId: 0,
    customerNote: '',
    orderKey: `wc_order_${randomKey(site)}`,
    createdVia,
    billing: address({}, null, BILLING),
    shipping: address({}, null, SHIPPING),
    paymentMethod: '',
    paymentMethodTitle: '',
    transactionId: '',
    isStockReduced: false,
    lines: [],
    shippingLines: [],
    feeLines: [],
    meta: [],
  };
  writeOrder(site, order, params, true);
  site.orders.set(order.id, order);
  site.fire('order.created', order.id);
  const status = toText(params['status']) || 'pending';
  if (params['set_paid'] === true && !PAID.includes(status)) setStatus(site, order, 'processing');
  else if (status !== 'pending') setStatus(site, order, status);
  return order;
}

export function updateOrder(site: Site, order: OrderRecord, params: Params): void {
  writeOrder(site, order, params, false);
  if (isSet(params['status'])) setStatus(site, order, toText(params['status']));
  if (params['set_paid'] === true && !PAID.includes(order.status)) setStatus(site, order, 'processing');
  touchOrder(site, order);
}

function touchOrder(site: Site, order: OrderRecord): void {
  order.modifiedS = site.nowS();
  site.fire('order.updated', order.id);
}

function setStatus(site: Site, order: OrderRecord, status: string): void {
  const before = order.status;
  order.status = status;
  if (PAID.includes(status)) order.paidS ??= site.nowS();
  if (status === 'completed') order.completedS ??= site.nowS();
  if (status === before) return;
  const counted = ['processing', 'completed', 'on-hold'];
  if (counted.includes(status) && !counted.includes(before)) countSales(site, order);
  followStatus(site, order);
  touchOrder(site, order);
}

function writeOrder(site: Site, order: OrderRecord, params: Params, isNew: boolean): void {
  const text = (key: string, old: string): string => (isSet(params[key]) ? toText(params[key]) : old);
  order.currency = text('currency', order.currency);
  order.customerNote = text('customer_note', order.customerNote);
  order.paymentMethod = text('payment_method', order.paymentMethod);
  order.paymentMethodTitle = text('payment_method_title', order.paymentMethodTitle);
  order.transactionId = text('transaction_id', order.transactionId);
  if (isSet(params['customer_id'])) order.customerId = absInt(params['customer_id']);
  if (isObject(params['billing'])) order.billing = address(order.billing, params['billing'], BILLING);
  if (isObject(params['shipping'])) order.shipping = address(order.shipping, params['shipping'], SHIPPING);
  for (const item of asList(params['meta_data'])) {
    if (isObject(item) && item['key'] === STOCK_FLAG)
      order.isStockReduced = ['yes', '1', 'true'].includes(toText(item['value']));
  }
  order.meta = mergeMeta(site, order.meta, params['meta_data'], STOCK_FLAG);
  for (const item of asList(params['line_items'])) if (isObject(item)) writeLine(site, order, item, isNew);
  for (const item of asList(params['shipping_lines'])) {
    if (isObject(item)) order.shippingLines = mergeLine(site, order.shippingLines, item, shippingLine);
  }
  for (const item of asList(params['fee_lines'])) {
    if (isObject(item)) order.feeLines = mergeLine(site, order.feeLines, item, feeLine);
  }
}

function address(old: JsonObject, sent: JsonObject | null, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, toText(sent?.[key] ?? old[key] ?? '')]));
}

/** With an id a line is changed, quantity 0 removes it; without one a line is added. */
function writeLine(site: Site, order: OrderRecord, item: JsonObject, isNew: boolean): void {
  const id = absInt(item['id']);
  const known = id > 0 ? order.lines.find((line) => line.id === id) : undefined;
  if (id > 0 && !known) {
    const message = 'Order item ID provided is not associated with order.';
    throw new RestError('woocommerce_rest_invalid_item_id', message, 400);
  }
  const line = known ?? newLine(site, item);
  if (known) changeLine(site, known, item);
  if (line.quantity <= 0 && isSet(item['quantity'])) order.lines = order.lines.filter((other) => other !== line);
  else if (!known) order.lines.push(line);
  if (!isNew) adjustLine(site, order, line);
}

/** Of a changed line only what was sent changes: a new quantity leaves the totals as they are. */
function changeLine(site: Site, line: OrderLine, item: JsonObject): void {
  if (isSet(item['quantity'])) line.quantity = toInt(item['quantity']);
  if (isSet(item['name'])) line.name = toText(item['name']);
  if (isSet(item['subtotal'])) line.subtotal = decimal(site, item['subtotal']);
  if (isSet(item['total'])) line.total = decimal(site, item['total']);
  if (Array.isArray(item['meta_data'])) line.meta = mergeMeta(site, line.meta, item['meta_data']);
}

function newLine(site: Site, item: JsonObject): OrderLine {
  const product = productOf(site, item);
  const parent = product?.type === 'variation' ? site.products.find(product.parentId) : undefined;
  const quantity = isSet(item['quantity']) ? toInt(item['quantity']) : 1;
  const unit = product ? Number(activePrice(product, site.nowS()) || 0) : 0;
  const total = isSet(item['total']) ? decimal(site, item['total']) : null;
  const subtotal = isSet(item['subtotal']) ? decimal(site, item['subtotal']) : (total ?? money(unit * quantity));
  const line: OrderLine = {
    id: site.nextOrderItemId++,
    name: isSet(item['name']) ? toText(item['name']) : (product?.name ?? ''),
    productId: parent?.id ?? product?.id ?? absInt(item['product_id']),
    variationId: parent && product ? product.id : 0,
    quantity,
    taxClass: toText(item['tax_class']),
    subtotal,
    total: total ?? subtotal,
    sku: null,
    gtin: null,
    parentName: parent?.name ?? null,
    meta: [],
  };
  for (const { key, value } of product?.choices ?? []) {
    if (value === '') continue;
    line.meta.push({
      id: site.products.nextMetaId(),
      key,
      value: key.startsWith('pa_') ? value : choiceLabel(site, key, value),
    });
  }
  line.meta = mergeMeta(site, line.meta, item['meta_data']);
  return line;
}

/** A variation, else a product, else a SKU. What does not exist is accepted: an unknown SKU makes a free-text line. */
function productOf(site: Site, item: JsonObject): ProductRecord | undefined {
  const sku = sanitizeText(toText(item['sku']));
  if (sku !== '') return site.products.findBySku(sku);
  const id = absInt(item['variation_id']) || absInt(item['product_id']);
  if (id === 0 && !isSet(item['product_id']) && !isSet(item['name'])) {
    throw new RestError('woocommerce_rest_required_product_reference', 'Product ID or SKU is required.', 400);
  }
  return site.products.find(id);
}

function decimal(site: Site, value: Json): string {
  return money(Number(formatDecimal(value, site.settings.decimalSeparator) || 0));
}

function mergeLine(
  site: Site,
  lines: readonly JsonObject[],
  item: JsonObject,
  build: (site: Site, item: JsonObject, old: JsonObject) => JsonObject,
): JsonObject[] {
  const id = absInt(item['id']);
  if (id > 0) return lines.map((line) => (line['id'] === id ? { ...build(site, item, line), id } : line));
  return [...lines, { ...build(site, item, {}), id: site.nextOrderItemId++ }];
}

function shippingLine(site: Site, item: JsonObject, old: JsonObject): JsonObject {
  return {
    id: 0,
    method_title: toText(item['method_title'] ?? old['method_title'] ?? ''),
    method_id: toText(item['method_id'] ?? old['method_id'] ?? ''),
    instance_id: toText(item['instance_id'] ?? old['instance_id'] ?? ''),
    total: decimal(site, item['total'] ?? old['total'] ?? '0'),
    total_tax: '0.00',
    taxes: [],
    tax_status: 'taxable',
    meta_data: [],
  };
}

function feeLine(site: Site, item: JsonObject, old: JsonObject): JsonObject {
  return {
    id: 0,
    name: toText(item['name'] ?? old['name'] ?? ''),
    tax_class: toText(item['tax_class'] ?? old['tax_class'] ?? ''),
    tax_status: toText(item['tax_status'] ?? old['tax_status'] ?? 'taxable'),
    amount: '',
    total: decimal(site, item['total'] ?? old['total'] ?? '0'),
    total_tax: '0.00',
    taxes: [],
    meta_data: [],
  };
}

function randomKey(site: Site): string {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
  let key = '';
  while (key.length < 13) key += letters[Math.floor(site.environment.random() * letters.length)] ?? '';
  return key;
}
