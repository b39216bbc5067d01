import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { StartupError } from '../lib/startup-error.ts';
import { Refusal } from '../model/refusal.ts';
import type { Log } from '../ports/log.ts';

/** A list of passwords that were stolen somewhere. It stays on the disk, however large it is. */
export interface BreachedPasswords {
  has(password: string): Promise<boolean>;
  close(): Promise<void>;
}

/** "HASH:COUNT": SHA-1 in hexadecimal digits, as "Pwned Passwords" gives them away. */
const LINE = /^[0-9a-f]{40}(:\d{1,15})?\r?$/i;
const HASH_CHARS = 40;
/** Longer than any line, and holds one whole wherever it begins. */
const WINDOW_BYTES = 160;
/** Lines that are looked at before a file is trusted. */
const SAMPLES = 64;

const REMEDY =
  'Give a file of lines like "000000005AD76BD555C1D6D771DE417A4B87E4B4:10", SHA-1, sorted by hash (the official downloader of "Pwned Passwords" makes it), or leave the setting out.';

/** Opens a list sorted by hash. Throws `StartupError` for what is no such list. */
export async function openBreachedPasswords(file: string): Promise<BreachedPasswords> {
  const { handle, size } = await openFile(file);
  try {
    await refuseOtherFile(handle, size, file);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    has(password) {
      const hash = createHash('sha1').update(password.normalize('NFC')).digest('hex').toUpperCase();
      return search(handle, size, hash);
    },
    close: () => handle.close(),
  };
}

/**
 * Refuses a password that is on the list, if there is one (VALIDATION, named by `field`). A list that can't be read any more is told in the log and
 * keeps nobody out.
 */
export async function refuseBreached(
  ctx: { readonly breached: Pick<BreachedPasswords, 'has'> | null; readonly log: Log },
  password: string,
  field: string,
): Promise<void> {
  let isBreached = false;
  try {
    isBreached = (await ctx.breached?.has(password)) ?? false;
  } catch (error) {
    ctx.log.error(
      { error: String(error) },
      'the list of breached passwords can not be read: passwords are not compared',
    );
  }
  if (!isBreached) return;
  const message = 'This password was stolen somewhere and is on public lists. Choose another one.';
  throw new Refusal('VALIDATION', message, { fields: [{ field, message }] });
}

async function openFile(file: string): Promise<{ readonly handle: FileHandle; readonly size: number }> {
  try {
    const handle = await open(file, 'r');
    const stat = await handle.stat();
    if (stat.isFile()) return { handle, size: stat.size };
    await handle.close();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(`BREACHED_PASSWORDS_FILE can not be read: ${reason}`, REMEDY);
  }
  throw new StartupError(`BREACHED_PASSWORDS_FILE names ${file}, which is no file.`, REMEDY);
}

/** Not the whole of it, which may be 40 GB: lines from all over, whether they are what they should be and in order. */
async function refuseOtherFile(handle: FileHandle, size: number, file: string): Promise<void> {
  let before = '';
  for (let sample = 0; sample < SAMPLES; sample++) {
    const line = await lineFrom(handle, Math.floor((size * sample) / SAMPLES));
    // Behind the last line there is none.
    if (line === null && sample > 0) continue;
    if (line === null || !LINE.test(line.text)) {
      const where = `at byte ${line?.at ?? 0}`;
      throw new StartupError(`BREACHED_PASSWORDS_FILE: ${file} is no list of SHA-1 hashes (${where}).`, REMEDY);
    }
    const hash = hashOf(line.text);
    if (hash < before) {
      throw new StartupError(`BREACHED_PASSWORDS_FILE: ${file} is not sorted by hash (at byte ${line.at}).`, REMEDY);
    }
    before = hash;
  }
}

interface Line {
  /** Where it begins, bytes. */
  readonly at: number;
  readonly text: string;
  /** Where the next one begins. */
  readonly next: number;
}

/** Halves what is left until the hash is found or nothing is left: some 36 short reads in the largest list there is. */
async function search(handle: FileHandle, size: number, hash: string): Promise<boolean> {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const line = await lineFrom(handle, middle);
    if (line === null || line.at >= high) {
      high = middle;
      continue;
    }
    const found = hashOf(line.text);
    if (found === hash) return true;
    if (found < hash) low = line.next;
    else high = middle;
  }
  return false;
}

/** The first line that begins at `offset` or after it; null: there is none. */
async function lineFrom(handle: FileHandle, offset: number): Promise<Line | null> {
  const from = Math.max(0, offset - 1);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(WINDOW_BYTES), 0, WINDOW_BYTES, from);
  const window = buffer.toString('latin1', 0, bytesRead);
  const start = offset === 0 ? 0 : window.indexOf('\n') + 1;
  if (start >= bytesRead || (offset > 0 && start === 0)) return null;
  const end = window.indexOf('\n', start);
  const text = window.slice(start, end === -1 ? undefined : end);
  return { at: from + start, text, next: from + (end === -1 ? bytesRead : end + 1) };
}

function hashOf(line: string): string {
  return line.slice(0, HASH_CHARS).toUpperCase();
}
