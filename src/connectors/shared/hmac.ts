import { createHmac, timingSafeEqual } from 'node:crypto';

/** Base64 of the HMAC-SHA256 over the raw bytes: how both platforms sign their webhooks. */
export function signBase64(body: Uint8Array, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}

/**
 * Whether `signature` (base64) is that of `body` under one of `secrets`. Every secret is tried whatever the others
 * gave, and bytes are compared in constant time, so that the time taken tells nothing. An empty secret never matches:
 * anybody could sign with it.
 */
export function isSigned(body: Uint8Array, signature: string | undefined, secrets: readonly string[]): boolean {
  if (signature === undefined || !/^[A-Za-z0-9+/]{43}=$/.test(signature)) return false;
  const given = Buffer.from(signature, 'base64');
  let isMatch = false;
  for (const secret of secrets) {
    if (secret === '') continue;
    const wanted = createHmac('sha256', secret).update(body).digest();
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) isMatch = true;
  }
  return isMatch;
}
