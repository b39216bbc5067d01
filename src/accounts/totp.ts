import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** RFC 6238 as authenticator apps have it: SHA-1, six digits, thirty seconds. */
const STEP_MS = 30_000;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Steps before and after now that are good: clocks differ, and people type slowly. */
const DRIFT_STEPS = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** 160 random bits in base 32, as apps take them. */
export function newTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

export function totpStep(nowMs: number): number {
  return Math.floor(nowMs / STEP_MS);
}

/** The step whose code was given, later than `lastStep`; null: wrong, or used before. Every candidate is compared, whichever matches. */
export function matchTotp(secret: string, code: string, nowMs: number, lastStep: number | null): number | null {
  const given = Buffer.from(code.replaceAll(/\s/g, ''));
  const now = totpStep(nowMs);
  let matched: number | null = null;
  for (let step = now - DRIFT_STEPS; step <= now + DRIFT_STEPS; step++) {
    const expected = Buffer.from(totpCode(secret, step));
    const isSame = given.length === expected.length && timingSafeEqual(given, expected);
    if (isSame && (lastStep === null || step > lastStep)) matched = step;
  }
  return matched;
}

/** The address that an app reads from a picture. */
export function totpAddress(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=30`;
}

function toBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32.charAt((value >> bits) & 31);
      value &= (1 << bits) - 1;
    }
  }
  return bits > 0 ? text + BASE32.charAt((value << (5 - bits)) & 31) : text;
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const sign of text) {
    value = (value << 5) | BASE32.indexOf(sign);
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 255);
      value &= (1 << bits) - 1;
    }
  }
  return Buffer.from(bytes);
}
