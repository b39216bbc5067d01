import { createHmac, randomBytes } from 'node:crypto';
import { type Db, transact } from '../db/database.ts';
import { findMeta } from '../db/readers/meta.ts';
import { setMeta } from '../db/writers/meta.ts';
import type { Cipher } from '../ports/cipher.ts';

const INDEX_KEY = 'accounts.index_key';
/** What the sealed key is bound to; `db/sealed-columns.ts` names it too. */
const INDEX_KEY_CONTEXT = `meta:${INDEX_KEY}`;

/** Keeps what is about people: sealed at rest, and found again by a keyed hash. */
export interface Vault {
  /** `context` is `table.column:id`: a value moved elsewhere does not open. */
  seal(value: unknown, context: string): string;
  open<T>(sealed: string, context: string): T;
  /** The same text gives the same hash in this instance, and says nothing in another. */
  index(text: string): string;
}

/** Opens the instance's vault; its index key is made at the first start and kept sealed, so that a rotation of the encryption key leaves it alone. */
export function openVault(db: Db, cipher: Cipher): Vault {
  let sealedKey = findMeta(db, INDEX_KEY);
  if (sealedKey === null) {
    const fresh = cipher.seal(randomBytes(32).toString('base64url'), INDEX_KEY_CONTEXT);
    transact(db, (tx) => setMeta(tx, INDEX_KEY, fresh));
    sealedKey = fresh;
  }
  const indexKey = Buffer.from(cipher.open(sealedKey, INDEX_KEY_CONTEXT), 'base64url');
  return {
    seal: (value, context) => cipher.seal(JSON.stringify(value), context),
    open: <T>(sealed: string, context: string) => JSON.parse(cipher.open(sealed, context)) as T,
    index: (text) => createHmac('sha256', indexKey).update(text).digest('base64url'),
  };
}
