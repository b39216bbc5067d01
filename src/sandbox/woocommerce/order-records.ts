import type { JsonObject } from './json.ts';
import type { MetaEntry } from './records.ts';

export interface OrderLine {
  readonly id: number;
  name: string;
  productId: number;
  variationId: number;
  quantity: number;
  taxClass: string;
  subtotal: string;
  total: string;
  sku: string | null;
  gtin: string | null;
  parentName: string | null;
  meta: MetaEntry[];
}

export interface OrderRecord {
  readonly id: number;
  status: string;
  statusBeforeTrash: string;
  currency: string;
  createdS: number;
  modifiedS: number;
  completedS: number | null;
  paidS: number | null;
  customerId: number;
  customerNote: string;
  readonly orderKey: string;
  readonly createdVia: string;
  billing: JsonObject;
  shipping: JsonObject;
  paymentMethod: string;
  paymentMethodTitle: string;
  transactionId: string;
  /** WooCommerce's `_order_stock_reduced`: set by itself, or sent by a client that copies an order. Never shown. */
  isStockReduced: boolean;
  lines: OrderLine[];
  shippingLines: JsonObject[];
  feeLines: JsonObject[];
  meta: MetaEntry[];
}
