import { existsSync, statfsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { openBreachedPasswords } from '../accounts/breached-passwords.ts';
import { findWebDir } from '../app.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { loadEncryptionKeys } from '../config/secrets.ts';
import { VERSION } from '../config/version.ts';
import { MIGRATIONS } from '../db/migrations.gen.ts';
import { requireWritable, storagePaths } from '../db/storage.ts';
import { StartupError } from '../lib/startup-error.ts';
import { CIPHER_PROOF, createCipher, proveCipher } from '../system/cipher.ts';

const FREE_BYTES_MIN = 200 * 1024 * 1024;

/** Looks at what the server stands on, changes nothing, and can run beside it. Bad settings are refused before by `loadConfig`, all at once. */
export async function runDoctor(): Promise<void> {
  const config = loadConfig();
  const say = (isGood: boolean, text: string) => {
    console.log(`${isGood ? 'ok  ' : 'LOOK'}  ${text}`);
    if (!isGood) process.exitCode = 1;
  };
  say(true, `version ${VERSION}, Node ${process.version}`);
  const { host, port, publicUrl } = config.server;
  say(true, `listens on ${host}, port ${port}`);
  if (publicUrl === null)
    console.log('note  PUBLIC_URL is not set: stores on the internet are polled, they can not call us');
  if (config.allowLocalStores)
    console.log('note  ALLOW_LOCAL_STORES is on: whoever may connect stores can make this server call its own machine');
  say(
    findWebDir() !== null,
    findWebDir() === null ? 'the web app is not built: npm run build' : 'the web app is built',
  );
  if (config.breachedPasswordsFile !== null) {
    const list = await openBreachedPasswords(config.breachedPasswordsFile);
    await list.close();
    say(true, `new passwords are compared with ${config.breachedPasswordsFile}`);
  }
  say(existsSync(config.dataDir), `data directory ${config.dataDir}`);
  if (!existsSync(config.dataDir)) return;
  const { bavail, bsize } = statfsSync(config.dataDir);
  const freeBytes = bavail * bsize;
  say(freeBytes >= FREE_BYTES_MIN, `${Math.round(freeBytes / 1024 / 1024)} MB free`);
  checkDatabase(config, say);
  checkRights(config, say);
}

/** What is written by another user (a backup that was put back with more rights) keeps the server from starting. */
function checkRights({ dataDir }: Config, say: Say): void {
  try {
    requireWritable(dataDir);
    say(true, 'the data directory can be written by this user');
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    say(false, `${error.message} (the server must run as the user whom it belongs to)`);
  }
}

type Say = (isGood: boolean, text: string) => void;

function checkDatabase(config: Config, say: Say): void {
  const file = storagePaths(config.dataDir).database;
  if (!existsSync(file)) {
    say(true, 'no database yet: the first start makes it');
    return;
  }
  try {
    const connection = new Database(file, { readonly: true });
    try {
      const schema = connection.pragma('user_version', { simple: true }) as number;
      const known = MIGRATIONS.length;
      say(schema <= known, `database schema ${schema}, this version knows up to ${known}`);
      const check = connection.pragma('quick_check', { simple: true });
      say(check === 'ok', `database check: ${String(check)}`);
      checkKey(config, connection, say);
    } finally {
      connection.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say(false, `the database ${file} can not be read (${reason}): make it readable, or restore a backup`);
  }
}

function checkKey(config: Config, connection: Database.Database, say: Say): void {
  const proof = connection.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(CIPHER_PROOF);
  if (typeof proof !== 'string') return;
  try {
    proveCipher(createCipher(loadEncryptionKeys(config)), proof);
    say(true, 'the encryption key opens the database');
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    say(false, `${error.message} ${error.remedy}`);
  }
}
