import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../lib/startup-error.ts';
import { type Config, parseKeys } from './config.ts';

export interface Secrets {
  readonly jwtSecret: string;
  /** 32 bytes each; the first one seals, all of them open. */
  readonly encryptionKeys: readonly Uint8Array[];
  /** Files that were made just now: the log tells of them once, by path. */
  readonly createdFiles: readonly string[];
}

/**
 * The secrets as given; those that were not given are read from DATA_DIR, and made there on the first start (readable by the owner only).
 * They are kept beside the database and not in it, so that a copy of the database alone opens nothing.
 */
export function loadSecrets(config: Config): Secrets {
  const createdFiles: string[] = [];
  const keep = (name: string): string => {
    const file = join(config.dataDir, name);
    const existing = readIfThere(file);
    if (existing !== null) return existing;
    const value = randomBytes(32).toString('hex');
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${value}\n`, { mode: 0o600, flag: 'wx' });
    createdFiles.push(file);
    return value;
  };
  const encryptionKeys = config.given.encryptionKeys ?? keysFrom(keep('encryption.key'), config.dataDir);
  const jwtSecret = config.given.jwtSecret ?? keep('jwt.secret');
  return { jwtSecret, encryptionKeys, createdFiles };
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
