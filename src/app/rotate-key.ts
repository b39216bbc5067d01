import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig, parseKeys } from '../config/config.ts';
import { layTempFilesIn } from '../config/env.ts';
import { loadEncryptionKeys } from '../config/secrets.ts';
import { VERSION } from '../config/version.ts';
import { type Db, isDiskError, transact } from '../db/database.ts';
import { findMeta } from '../db/readers/meta.ts';
import { resealDatabase } from '../db/reseal.ts';
import { openStorage, startFailure } from '../db/storage.ts';
import { StartupError } from '../lib/startup-error.ts';
import { isoTime } from '../lib/time.ts';
import { CIPHER_PROOF, createCipher, proveCipher } from '../system/cipher.ts';
import { requireDatabase } from './open-existing.ts';

/** `rotate-key`: everything sealed is sealed anew. The server has to be stopped: the process lock sees to it. */
export async function runRotateKey(): Promise<void> {
  const config = loadConfig();
  // Of a container that may write nothing else.
  layTempFilesIn(config.dataDir);
  const { count, file } = rotateKey(config);
  console.log(`Sealed ${count} values anew.`);
  console.log(
    file === null
      ? 'ENCRYPTION_KEY may now hold the new key alone. Backups from before need the old one.'
      : `The new key is in ${file}. Backups from before need the old one, kept as ${file}.old: move it to where those backups are.`,
  );
}

/**
 * With a key of our own making (DATA_DIR/encryption.key) a new one takes its place. With ENCRYPTION_KEY=new,old the database is brought to the
 * first. A crash at any point leaves a state that opens: both keys stand in the file until nothing needs the old one.
 */
export function rotateKey(config: Config): { readonly count: number; readonly file: string | null } {
  requireDatabase(config.dataDir);
  const storage = openStorage({
    dataDir: config.dataDir,
    version: VERSION,
    owner: { pid: process.pid, host: hostname(), startedAt: isoTime(Date.now()) },
    nowMs: Date.now(),
  });
  try {
    const file = config.given.encryptionKeys === null ? join(config.dataDir, 'encryption.key') : null;
    // A wrong key is told here, before anything is changed.
    const encryptionKeys = loadEncryptionKeys(config);
    proveCipher(createCipher(encryptionKeys), findMeta(storage.db, CIPHER_PROOF));
    const keys = file === null ? refuseSingle(encryptionKeys) : addKey(file);
    const cipher = createCipher(keys);
    const count = transact(storage.db, (tx) =>
      resealDatabase(tx, (sealed, context) => cipher.seal(cipher.open(sealed, context), context)),
    );
    dropFreePages(storage.db);
    if (file !== null) keepFirst(file);
    storage.close();
    return { count, file };
  } catch (error) {
    throw startFailure(storage, isDiskError(error) ? diskFailure(error) : error);
  }
}

/** Pages that are free keep what stood in them until they are used again. Rewritten in memory, a database that is larger than it would end the process. */
function dropFreePages({ connection }: Db): void {
  connection.pragma('temp_store = FILE');
  connection.exec('VACUUM');
}

function diskFailure(error: unknown): StartupError {
  return new StartupError(
    `The rotation could not be finished: ${error instanceof Error ? error.message : String(error)}`,
    'Free space on the disk of DATA_DIR for two more copies of the database, then run it again. Until then both keys are needed.',
  );
}

function refuseSingle(keys: readonly Uint8Array[]): readonly Uint8Array[] {
  if (keys.length > 1) return keys;
  throw new StartupError(
    'ENCRYPTION_KEY holds one key, and there is nothing to rotate to.',
    'Make a new one (openssl rand -hex 32), set ENCRYPTION_KEY to the new key, a comma, the old key, and run this again.',
  );
}

/** A new key in front of those in the file. One that an interrupted rotation put there is used again. */
function addKey(file: string): readonly Uint8Array[] {
  const text = readFileSync(file, 'utf8').trim();
  const isInterrupted = text.includes(',');
  const both = isInterrupted ? text : `${randomBytes(32).toString('hex')},${text}`;
  if (!isInterrupted) replaceFile(file, both);
  return parseKeys(both) ?? [];
}

function keepFirst(file: string): void {
  const [first = '', ...old] = readFileSync(file, 'utf8').trim().split(',');
  const earlier = existsSync(`${file}.old`) ? readFileSync(`${file}.old`, 'utf8').trim().split(',') : [];
  replaceFile(`${file}.old`, [...new Set([...old, ...earlier])].join(','));
  replaceFile(file, first);
}

/** Whole or not at all. */
function replaceFile(file: string, text: string): void {
  const draft = `${file}.new`;
  // On the disk before anything is sealed with it, or the old key is let go of.
  writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
}
