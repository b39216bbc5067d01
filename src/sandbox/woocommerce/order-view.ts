import { money } from './decimal.ts';
import type { Json, JsonObject } from './json.ts';
import { metaView } from './meta.ts';
import type { OrderLine, OrderRecord } from './order-records.ts';
import { CURRENCY_SYMBOLS } from './price-html.ts';
import { gmtDate, links, localDate } from './product-view.ts';
import type { MetaEntry } from './records.ts';
import type { Site } from './site.ts';
import { naive } from './site-time.ts';

const sum = (values: readonly Json[]): number => values.reduce<number>((total, value) => total + Number(value ?? 0), 0);

export function orderTotal(order: OrderRecord): number {
  const lines = sum(order.lines.map((line) => line.total));
  return (
    lines +
    sum(order.shippingLines.map((line) => line['total'] ?? 0)) +
    sum(order.feeLines.map((line) => line['total'] ?? 0))
  );
}

/** An order as the API gives it. This store charges no taxes: tax amounts are 0 and there are no tax lines. */
export function orderView(site: Site, order: OrderRecord): JsonObject {
  const discount = sum(order.lines.map((line) => line.subtotal)) - sum(order.lines.map((line) => line.total));
  const payQuery = `?pay_for_order=true&key=${order.orderKey}`;
  const needsPayment = ['pending', 'failed'].includes(order.status) && orderTotal(order) > 0;
  const shown: JsonObject = links(site, `/wc/v3/orders/${order.id}`, '/wc/v3/orders');
  shown['email_templates'] = [
    { embeddable: true, href: site.restUrl(`/wc/v3/orders/${order.id}/actions/email_templates`) },
  ];
  if (order.customerId > 0) shown['customer'] = [{ href: site.restUrl(`/wc/v3/customers/${order.customerId}`) }];
  return {
    id: order.id,
    parent_id: 0,
    status: order.status,
    currency: order.currency,
    version: site.settings.version,
    prices_include_tax: site.settings.pricesIncludeTax,
    date_created: site.time.local(order.createdS),
    date_modified: site.time.local(order.modifiedS),
    discount_total: money(discount),
    discount_tax: '0.00',
    shipping_total: money(sum(order.shippingLines.map((line) => line['total'] ?? 0))),
    shipping_tax: '0.00',
    cart_tax: '0.00',
    total: money(orderTotal(order)),
    total_tax: '0.00',
    customer_id: order.customerId,
    order_key: order.orderKey,
    billing: order.billing,
    shipping: order.shipping,
    payment_method: order.paymentMethod,
    payment_method_title: order.paymentMethodTitle,
    transaction_id: order.transactionId,
    customer_ip_address: '',
    customer_user_agent: '',
    created_via: order.createdVia,
    customer_note: order.customerNote,
    date_completed: localDate(site, order.completedS),
    date_paid: localDate(site, order.paidS),
    cart_hash: '',
    number: String(order.id),
    meta_data: metaView(order.meta),
    line_items: order.lines.map((line) => lineView(site, line)),
    tax_lines: [],
    shipping_lines: order.shippingLines,
    fee_lines: order.feeLines,
    coupon_lines: [],
    refunds: [],
    payment_url: site.url(`/checkout/order-pay/${order.id}/${payQuery}`),
    is_editable: ['pending', 'on-hold', 'auto-draft', 'checkout-draft'].includes(order.status),
    needs_payment: needsPayment,
    needs_processing: order.lines.length > 0,
    date_created_gmt: naive(order.createdS),
    date_modified_gmt: naive(order.modifiedS),
    date_completed_gmt: gmtDate(order.completedS),
    date_paid_gmt: gmtDate(order.paidS),
    currency_symbol: CURRENCY_SYMBOLS[order.currency] ?? order.currency,
    _links: shown,
  };
}

function lineView(site: Site, line: OrderLine): JsonObject {
  const product = site.products.find(line.variationId || line.productId);
  return {
    id: line.id,
    name: line.name,
    product_id: existing(site, line.productId),
    variation_id: existing(site, line.variationId),
    quantity: line.quantity,
    tax_class: line.taxClass,
    subtotal: line.subtotal,
    subtotal_tax: '0.00',
    total: line.total,
    total_tax: '0.00',
    taxes: [],
    meta_data: line.meta.map(lineMeta),
    sku: product ? product.sku || null : line.sku,
    global_unique_id: product ? product.gtin || null : line.gtin,
    price: line.quantity === 0 ? 0 : Math.round((Number(line.total) / line.quantity) * 1e6) / 1e6,
    image: { id: product?.type === 'variation' || !product ? 0 : '', src: '' },
    parent_name: line.parentName,
  };
}

/** An order keeps the id of what it sold, and shows it only while that exists. */
function existing(site: Site, id: number): number {
  return site.products.find(id) ? id : 0;
}

function lineMeta({ id, key, value }: MetaEntry): JsonObject {
  return { id, key, value, display_key: key, display_value: value };
}
