import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { createTurns } from './turns.ts';

const COST = 2 ** 15;
const BLOCK_SIZE = 8;
const PARALLEL = 3;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** 128 * N * r is 32 MB; scrypt wants some more beside it. */
const MEMORY_MAX_BYTES = 64 * 1024 * 1024;

/** Password hashing that can't exhaust the process: one at a time, with a bounded queue in which no single source takes all places. */
export interface PasswordHasher {
  /** `ip`: the caller's address; its share of the queue is limited. */
  hash(password: string, ip: string): Promise<string>;
  /** With `stored` null the work is the same, and the answer is false: an unknown account takes as long as a wrong password. */
  verify(password: string, stored: string | null, ip: string): Promise<boolean>;
}

export function createPasswordHasher(): PasswordHasher {
  const turns = createTurns();
  return {
    hash: (password, ip) =>
      turns.take(ip, async () => {
        const salt = randomBytes(SALT_BYTES);
        const key = await derive(password, salt, COST, BLOCK_SIZE, PARALLEL);
        return ['scrypt', COST, BLOCK_SIZE, PARALLEL, salt.toString('base64url'), key.toString('base64url')].join('$');
      }),
    verify: (password, stored, ip) =>
      turns.take(ip, async () => {
        const known = stored === null ? null : parse(stored);
        const salt = known?.salt ?? Buffer.alloc(SALT_BYTES);
        const key = await derive(
          password,
          salt,
          known?.cost ?? COST,
          known?.blockSize ?? BLOCK_SIZE,
          known?.parallel ?? PARALLEL,
        );
        return known !== null && key.length === known.key.length && timingSafeEqual(key, known.key);
      }),
  };
}

function derive(password: string, salt: Buffer, cost: number, blockSize: number, parallel: number): Promise<Buffer> {
  const options: ScryptOptions = { N: cost, r: blockSize, p: parallel, maxmem: MEMORY_MAX_BYTES };
  return new Promise((resolve, reject) => {
    // NFC: the same word typed on two keyboards is the same word.
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** Null for what no password opens (a demo visitor's ''). */
function parse(stored: string) {
  const [scheme, cost, blockSize, parallel, salt, key] = stored.split('$');
  if (scheme !== 'scrypt' || salt === undefined || key === undefined) return null;
  return {
    cost: Number(cost),
    blockSize: Number(blockSize),
    parallel: Number(parallel),
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  };
}
