import { createHmac } from 'node:crypto';
import { decodeEntities } from './php-text.ts';

/** base64(HMAC-SHA256(raw body, secret)); WooCommerce decodes HTML entities of the secret first. */
export function signWebhook(body: string | Buffer, secret: string): string {
  return createHmac('sha256', decodeEntities(secret)).update(body).digest('base64');
}
