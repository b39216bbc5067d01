import { createHmac, randomBytes } from 'node:crypto';

/** Standard Webhooks: 24 to 64 bytes, in base64 behind this prefix. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The headers of a message as https://www.standardwebhooks.com has them: HMAC-SHA256 over "id.timestamp.body". One signature for each
 * secret, so that a receiver can change its secret without losing a message.
 */
export function signMessage(message: {
  readonly id: string;
  readonly sentAt: number;
  readonly body: string;
  readonly secrets: readonly string[];
}): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(message.sentAt / 1000));
  const signatures = message.secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${message.id}.${timestamp}.${message.body}`).digest('base64')}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
