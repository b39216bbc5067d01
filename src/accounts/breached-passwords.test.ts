import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { StartupError } from '../lib/startup-error.ts';
import { makeTempDir, type TempDir } from '../testing/support/temp-dir.ts';
import { openBreachedPasswords } from './breached-passwords.ts';

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase();

function writeList(dir: TempDir, hashes: readonly string[], end = '\r\n', last = end): string {
  const file = dir.join('list.txt');
  const lines = hashes.toSorted().map((hash, at) => `${hash}:${at + 1}`);
  writeFileSync(file, lines.join(end) + last);
  return file;
}

test('every password of a list is found, and no other, whatever its size and line ends', async () => {
  using dir = makeTempDir();
  for (const count of [1, 2, 3, 50, 3_000]) {
    for (const [end, last] of [
      ['\r\n', '\r\n'],
      ['\n', '\n'],
      ['\n', ''],
    ] as const) {
      const words = Array.from({ length: count }, (_, at) => `word ${at}`);
      const list = await openBreachedPasswords(writeList(dir, words.map(sha1), end, last));
      for (const word of count > 100 ? words.slice(0, 400) : words) assert.equal(await list.has(word), true, word);
      for (let at = 0; at < 100; at++) assert.equal(await list.has(`other ${at}`), false);
      await list.close();
    }
  }
});

test('hashes in small letters and without a count are read too, and letters count by what they look like', async () => {
  using dir = makeTempDir();
  const file = dir.join('list.txt');
  writeFileSync(file, `${['Zo\u00eb-12345', 'b', 'c'].map(sha1).sort().join('\n').toLowerCase()}\n`);
  const list = await openBreachedPasswords(file);
  assert.equal(await list.has('Zoe\u0308-12345'), true);
  assert.equal(await list.has('Zoe-12345'), false);
  await list.close();
});

test('what is no such list is refused at the start, with the place and the remedy', async () => {
  using dir = makeTempDir();
  const refused = async (content: string, words: RegExp) => {
    const file = dir.join('bad.txt');
    writeFileSync(file, content);
    await assert.rejects(openBreachedPasswords(file), (error: unknown) => {
      assert.ok(error instanceof StartupError);
      assert.match(error.message, words);
      assert.match(error.remedy, /sorted by hash/);
      return true;
    });
  };
  await refused('', /no list of SHA-1 hashes/);
  await refused('password\n123456\n', /no list of SHA-1 hashes \(at byte 0\)/);
  await refused(`${'A'.repeat(32)}:5\n`, /no list of SHA-1/);
  await refused(`${sha1('a')}:5\npassword\n`, /no list of SHA-1 hashes \(at byte 43\)/);
  const unsorted = Array.from({ length: 500 }, (_, at) => `${sha1(String(at))}:1`).join('\n');
  await refused(unsorted, /not sorted by hash/);
  await assert.rejects(openBreachedPasswords(dir.join('none')), /can not be read.*ENOENT/);
  await assert.rejects(openBreachedPasswords(dir.path), /is no file|EISDIR/);
});
