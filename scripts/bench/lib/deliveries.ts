import { createHmac, randomUUID } from 'node:crypto';

/** Signed webhooks as the platforms send them, of their usual size, ready for a socket. */
export interface DeliveryMaker {
  /** `inventory_levels/update` of one item. */
  shopifyStock(inventoryItemId: string): Buffer;
  /** `product.updated` of a simple product. */
  wooProduct(productId: number): Buffer;
}

export interface DeliveryTargets {
  readonly port: number;
  readonly shopifyStoreId: string;
  readonly shopifySecret: string;
  readonly shopDomain: string;
  readonly locationId: string;
  readonly wooStoreId: string;
  readonly wooSecret: string;
}

/** A WooCommerce product with its description, images and links comes to about this. */
const WOO_FILLER = `<p>${'Lorem ipsum dolor sit amet. '.repeat(120)}</p>`;

export function createDeliveryMaker(targets: DeliveryTargets): DeliveryMaker {
  const locationNumber = numberOf(targets.locationId);
  function request(storeId: string, body: string, headers: Readonly<Record<string, string>>): Buffer {
    const lines = [
      `POST /api/webhooks/${storeId} HTTP/1.1`,
      `Host: 127.0.0.1:${targets.port}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
  }
  return {
    shopifyStock(inventoryItemId) {
      const body = JSON.stringify({
        inventory_item_id: numberOf(inventoryItemId),
        location_id: locationNumber,
        available: 1,
        updated_at: new Date().toISOString(),
        admin_graphql_api_id: `gid://shopify/InventoryLevel/${locationNumber}?inventory_item_id=${numberOf(inventoryItemId)}`,
      });
      return request(targets.shopifyStoreId, body, {
        'X-Shopify-Topic': 'inventory_levels/update',
        'X-Shopify-Shop-Domain': targets.shopDomain,
        'X-Shopify-Webhook-Id': randomUUID(),
        'X-Shopify-Hmac-Sha256': sign(targets.shopifySecret, body),
      });
    },
    wooProduct(productId) {
      const body = JSON.stringify({ id: productId, type: 'simple', parent_id: 0, description: WOO_FILLER });
      return request(targets.wooStoreId, body, {
        'X-WC-Webhook-Topic': 'product.updated',
        'X-WC-Webhook-Delivery-ID': randomUUID(),
        'X-WC-Webhook-Signature': sign(targets.wooSecret, body),
      });
    },
  };
}

function sign(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}

function numberOf(gid: string): number {
  return Number(gid.split('/').at(-1));
}
