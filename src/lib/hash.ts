import { createHash } from 'node:crypto';
import { stableJson } from './stable-json.ts';

/** First 32 hex digits of the SHA-256 of `stableJson(value)`: a fingerprint, not a secret. */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(stableJson(value)).digest('hex').slice(0, 32);
}
