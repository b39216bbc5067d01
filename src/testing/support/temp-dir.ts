import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempDir extends Disposable {
  readonly path: string;
  join(...names: string[]): string;
  remove(): void;
}

/** A directory that goes with its scope: `using dir = makeTempDir();`, or `dir.remove()`. */
export function makeTempDir(prefix = 'twinshelf-test-'): TempDir {
  const path = mkdtempSync(join(tmpdir(), prefix));
  const remove = (): void => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  return { path, join: (...names) => join(path, ...names), remove, [Symbol.dispose]: remove };
}
