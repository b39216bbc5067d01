import { type Config, loadConfig } from '../config/config.ts';
import { loadEncryptionKeys } from '../config/secrets.ts';
import type { Db } from '../db/database.ts';
import { findMeta } from '../db/readers/meta.ts';
import type { Cipher } from '../ports/cipher.ts';
import { CIPHER_PROOF, createCipher, proveCipher } from '../system/cipher.ts';
import { openExisting } from './open-existing.ts';

/** What a command gets to work with that reads what is sealed. */
export interface SealedData {
  readonly config: Config;
  readonly db: Db;
  readonly cipher: Cipher;
}

/** Opens the server's database with the key that it was sealed with, and closes it after `work`. Refuses with a StartupError: no database, another schema, another key. */
export async function withSealedData(work: (data: SealedData) => void | Promise<void>): Promise<void> {
  const config = loadConfig();
  const db = openExisting(config.dataDir, 'ours');
  try {
    const cipher = createCipher(loadEncryptionKeys(config));
    proveCipher(cipher, findMeta(db, CIPHER_PROOF));
    await work({ config, db, cipher });
  } finally {
    db.connection.close();
  }
}
