import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { StartupError } from '../lib/startup-error.ts';
import type { Cipher } from '../ports/cipher.ts';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 'v1';

/**
 * AES-256-GCM. A sealed text is `v1.<key id>.<iv, tag and ciphertext, base64url>`; the key id tells which key opens it, so that keys can be
 * rotated: the first key seals, all of them open.
 */
export function createCipher(keys: readonly Uint8Array[]): Cipher {
  const byId = new Map(keys.map((key) => [keyId(key), key]));
  const [sealing] = keys;
  if (sealing === undefined || keys.some((key) => key.length !== 32))
    throw new Error('a cipher needs keys of 32 bytes');
  return {
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, sealing, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${FORMAT}.${keyId(sealing)}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, context) {
      const [format, id, text] = sealed.split('.');
      if (format !== FORMAT || id === undefined || text === undefined) throw new Error('this is no sealed text');
      const key = byId.get(id);
      if (key === undefined) throw new Error(`this text was sealed with key ${id}, which is not among ENCRYPTION_KEY`);
      const bytes = Buffer.from(text, 'base64url');
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

/** Where the database keeps its proof (table meta). */
export const CIPHER_PROOF = 'cipher.proof';
const PROOF_CONTEXT = `meta:${CIPHER_PROOF}`;
const PROOF_TEXT = 'the key of this database';

/**
 * Whether `cipher` opens what this database holds. `stored` is the proof kept in the database (null on the first start); returns the proof to
 * store. Throws `StartupError` when the key is another one: the server must not start and seal new credentials with it.
 */
export function proveCipher(cipher: Cipher, stored: string | null): string {
  if (stored === null) return cipher.seal(PROOF_TEXT, PROOF_CONTEXT);
  try {
    if (cipher.open(stored, PROOF_CONTEXT) === PROOF_TEXT) return stored;
  } catch {
    // Told below: what went wrong inside says nothing to a person.
  }
  throw new StartupError(
    'ENCRYPTION_KEY (or DATA_DIR/encryption.key) is not the key that this database was sealed with.',
    'Put the original key back. If it is lost, so are the accounts and the credentials of the stores: give DATA_DIR another, empty directory, sign up and connect the stores anew.',
  );
}

/** First 8 hex digits of the key's SHA-256. */
function keyId(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}
