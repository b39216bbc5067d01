import { randomFillSync } from 'node:crypto';
import type { Random } from '../ports/random.ts';
import { systemClock } from './clock.ts';

/** Crockford's alphabet, lower case: no i, l, o, u; sorts like the numbers it stands for. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const RANDOM_BYTES = 10;

const pool = new Uint8Array(4096);
let used = pool.length;

/** Bytes of the system's secure generator, drawn in one go for many ids. They are wiped once given. */
function take(count: number): Uint8Array {
  if (used + count > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.slice(used, used + count);
  pool.fill(0, used, used + count);
  used += count;
  return bytes;
}

/** Secure randomness. Ids are a prefix, ten digits of time (ms) and sixteen of chance, in base 32: 80 random bits. */
export const systemRandom: Random = {
  id: (prefix) => prefix + timeDigits(systemClock.now()) + randomDigits(),
  unit() {
    const bytes = take(7);
    let value = 0;
    for (const byte of bytes) value = value * 256 + byte;
    // 56 bits drawn, 53 kept: every double of the form n / 2^53 is equally likely.
    return Math.floor(value / 8) / 2 ** 53;
  },
};

function timeDigits(ms: number): string {
  let text = '';
  let rest = ms;
  for (let digit = 0; digit < TIME_DIGITS; digit++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function randomDigits(): string {
  let text = '';
  let bits = 0;
  let bitCount = 0;
  for (const byte of take(RANDOM_BYTES)) {
    bits = (bits << 8) | byte;
    bitCount += 8;
    while (bitCount >= 5) {
      bitCount -= 5;
      text += ALPHABET.charAt((bits >> bitCount) & 31);
      bits &= (1 << bitCount) - 1;
    }
  }
  return text;
}
