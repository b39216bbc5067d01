import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory } from '../lib/make-directory.ts';
import { StartupError } from '../lib/startup-error.ts';
import { type Config, parseKeys } from './config.ts';

const KEY_FILE = 'encryption.key';

export interface Secrets {
  readonly jwtSecret: string;
  /** 32 bytes each; the first one seals, all of them open. */
  readonly encryptionKeys: readonly Uint8Array[];
  /** Files that were made just now: the log tells of them once, by path. */
  readonly createdFiles: readonly string[];
}

/**
 * The secrets as given; those that were not given are read from DATA_DIR, and made there on the first start (readable by the owner only).
 * They are kept beside the database and not in it, so that a copy of the database alone opens nothing. `hasDatabase`: what is in it was sealed
 * with a key already, so a missing one is told and not replaced.
 */
export function loadSecrets(config: Config, options: { readonly hasDatabase?: boolean } = {}): Secrets {
  const createdFiles: string[] = [];
  const keep = (name: string): string => {
    const file = join(config.dataDir, name);
    const existing = readIfThere(file);
    if (existing !== null) return existing;
    const value = randomBytes(32).toString('hex');
    writeNew(file, value, config.dataDir);
    createdFiles.push(file);
    return value;
  };
  const encryptionKeys =
    options.hasDatabase === true
      ? loadEncryptionKeys(config)
      : (config.given.encryptionKeys ?? keysFrom(keep(KEY_FILE), config.dataDir));
  const jwtSecret = config.given.jwtSecret ?? keep('jwt.secret');
  return { jwtSecret, encryptionKeys, createdFiles };
}

/** As they were given or are kept; never made. */
export function loadEncryptionKeys(config: Config): readonly Uint8Array[] {
  if (config.given.encryptionKeys !== null) return config.given.encryptionKeys;
  const file = join(config.dataDir, KEY_FILE);
  const text = readIfThere(file);
  if (text !== null) return keysFrom(text, config.dataDir);
  throw new StartupError(
    `The encryption key is missing: ENCRYPTION_KEY is not set, and there is no ${file}.`,
    'The database was sealed with it: put the file back, or set ENCRYPTION_KEY as it was. If it is lost, so are the accounts and the credentials of the stores: give DATA_DIR another, empty directory, sign up and connect the stores anew.',
  );
}

function writeNew(file: string, value: string, dataDir: string): void {
  try {
    makeDirectory(dataDir);
    // On the disk before anything is sealed with it.
    writeFileSync(file, `${value}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    // What a full disk has left of it would keep the next start waiting for an original that there never was.
    if ((error as { code?: unknown }).code !== 'EEXIST') removeIfThere(file);
    throw new StartupError(
      `DATA_DIR ${dataDir} can not be written: ${error instanceof Error ? error.message : String(error)}`,
      'Make it writable for the user that runs this, free some space on its disk, or set DATA_DIR to another directory.',
    );
  }
}

function removeIfThere(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // What kept it from being written is told.
  }
}

function keysFrom(text: string, dataDir: string): readonly Uint8Array[] {
  const keys = parseKeys(text);
  if (keys === null) {
    throw new StartupError(
      `${join(dataDir, 'encryption.key')} holds no key.`,
      'Put the original file back: without it neither the accounts nor the credentials of your stores can be opened.',
    );
  }
  return keys;
}

function readIfThere(file: string): string | null {
  let value: string;
  try {
    value = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    if ((error as { code?: unknown }).code === 'ENOTDIR')
      throw new StartupError(`DATA_DIR ${dirname(file)} is no directory.`, 'Set DATA_DIR to a directory.');
    throw new StartupError(
      `${file} can not be read: ${error instanceof Error ? error.message : String(error)}`,
      'Make it readable for the user that runs this.',
    );
  }
  try {
    chmodSync(file, 0o600);
  } catch {
    // Somebody else's file (a mounted secret): its owner decides.
  }
  if (value.length < 32) throw new StartupError(`${file} was cut short.`, 'Put the original file back.');
  return value;
}
