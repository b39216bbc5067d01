import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A secret of 256 random bits, told from others by its prefix. */
export function newSecretToken(prefix: 'rt_' | 'ts_' | 'vfy_' | 'rst_' | 'invite_'): string {
  return prefix + randomBytes(TOKEN_BYTES).toString('base64url');
}

/** What is stored of it: 256 random bits need no slow hash. */
export function hashSecretToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
