import { type ConnectionArgs, connectionPage } from '../graphql/connection.ts';
import type { RequestContext } from '../state.ts';
import { gidOf } from '../store/ids.ts';
import { amountText, centsOf, centsText } from '../store/money.ts';
import type { OrderLineRecord, OrderRecord } from '../store/records.ts';
import type { FieldMap } from './field-map.ts';
import { metafieldsOf } from './metafield-fields.ts';

/** Orders placed by shoppers, read only. What an order here never has (discounts, refunds, addresses) is honestly empty. */

function bag(amount: string, ctx: RequestContext) {
  const money = { type: 'MoneyV2', amount: amountText(amount), currencyCode: ctx.state.config.shop.currencyCode };
  return { shopMoney: money, presentmentMoney: money };
}

function lineTotal(line: OrderLineRecord): string {
  return centsText(centsOf(line.unitPrice) * BigInt(line.quantity));
}

const noRows = (_source: unknown, args: ConnectionArgs, ctx: RequestContext) =>
  connectionPage(ctx, args, { rows: [], idOf: () => 0 });
const zero = (_source: unknown, _args: unknown, ctx: RequestContext) => bag('0.00', ctx);
const total = (order: OrderRecord, _args: unknown, ctx: RequestContext) => bag(order.total, ctx);
const nothing = () => null;
const no = () => false;
const none = () => [];

export const ORDER_FIELDS: FieldMap = {
  Order: {
    ...metafieldsOf((order: OrderRecord) => gidOf('Order', order.id)),
    id: (order: OrderRecord) => gidOf('Order', order.id),
    legacyResourceId: (order: OrderRecord) => order.id,
    name: (order: OrderRecord) => `#${order.number}`,
    processedAt: (order: OrderRecord) => order.createdAt,
    currencyCode: (_order, _args, ctx) => ctx.state.config.shop.currencyCode,
    presentmentCurrencyCode: (_order, _args, ctx) => ctx.state.config.shop.currencyCode,
    taxesIncluded: (_order, _args, ctx) => ctx.state.config.shop.taxesIncluded,
    displayFinancialStatus: () => 'PAID',
    displayFulfillmentStatus: () => 'UNFULFILLED',
    returnStatus: () => 'NO_RETURN',
    sourceName: () => 'web',
    customerLocale: () => 'en',
    confirmed: () => true,
    paymentGatewayNames: () => ['bogus'],
    currentTotalPriceSet: total,
    subtotalPriceSet: total,
    totalPriceSet: total,
    totalDiscountsSet: zero,
    totalOutstandingSet: zero,
    totalRefundedSet: zero,
    totalShippingPriceSet: zero,
    totalTaxSet: zero,
    lineItems: (order: OrderRecord, args: ConnectionArgs, ctx) =>
      connectionPage(ctx, args, { rows: order.lines, idOf: (line) => line.id }),
    shippingLines: noRows,
    discountApplications: noRows,
    additionalFees: none,
    customAttributes: none,
    discountCodes: none,
    fulfillments: none,
    refunds: none,
    tags: none,
    taxLines: none,
    transactions: none,
    app: nothing,
    billingAddress: nothing,
    shippingAddress: nothing,
    cancelReason: nothing,
    cancelledAt: nothing,
    closedAt: nothing,
    confirmationNumber: nothing,
    customer: nothing,
    note: nothing,
    phone: nothing,
    poNumber: nothing,
    registeredSourceUrl: nothing,
    sourceIdentifier: nothing,
    dutiesIncluded: no,
    edited: no,
    estimatedTaxes: no,
    taxExempt: no,
    test: no,
  },
  LineItem: {
    id: (line: OrderLineRecord) => gidOf('LineItem', line.id),
    name: (line: OrderLineRecord) => (line.variantTitle === null ? line.title : `${line.title} - ${line.variantTitle}`),
    currentQuantity: (line: OrderLineRecord) => line.quantity,
    refundableQuantity: (line: OrderLineRecord) => line.quantity,
    unfulfilledQuantity: (line: OrderLineRecord) => line.quantity,
    product: (line: OrderLineRecord, _args, ctx) => ctx.state.store.products.get(line.productId) ?? null,
    variant: (line: OrderLineRecord, _args, ctx) => ctx.state.store.variants.get(line.variantId) ?? null,
    originalUnitPriceSet: (line: OrderLineRecord, _args, ctx) => bag(line.unitPrice, ctx),
    discountedUnitPriceAfterAllDiscountsSet: (line: OrderLineRecord, _args, ctx) => bag(line.unitPrice, ctx),
    originalTotalSet: (line: OrderLineRecord, _args, ctx) => bag(lineTotal(line), ctx),
    discountedTotalSet: (line: OrderLineRecord, _args, ctx) => bag(lineTotal(line), ctx),
    totalDiscountSet: zero,
    isGiftCard: no,
    customAttributes: none,
    discountAllocations: none,
    taxLines: none,
  },
};
