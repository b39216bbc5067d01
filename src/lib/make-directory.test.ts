import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { makeDirectory } from './make-directory.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'directory-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('what is missing is made on the way, for its owner alone, and what is there is left as it is', () => {
  const deep = join(dir, 'a', 'b', 'c');
  makeDirectory(deep);
  makeDirectory(deep);
  for (const path of [deep, join(dir, 'a')]) assert.equal(statSync(path).mode & 0o777, 0o700);
  symlinkSync(deep, join(dir, 'link'));
  makeDirectory(join(dir, 'link'));
});

test('a place that can hold no directory is refused at once', () => {
  writeFileSync(join(dir, 'file'), '');
  symlinkSync(join(dir, 'not-mounted'), join(dir, 'disk'));
  for (const path of ['file', 'file/below', 'disk', 'disk/data'])
    assert.throws(() => makeDirectory(join(dir, path)), /EEXIST|ENOTDIR/);
  if (existsSync('/proc/self')) assert.throws(() => makeDirectory('/proc/twinshelf/data'), /ENOENT/);
});
