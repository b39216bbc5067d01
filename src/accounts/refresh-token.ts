import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

export function newRefreshToken(): string {
  return `rt_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
}

/** What is stored: a token of 256 random bits needs no slow hash. */
export function hashRefreshToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
