import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory for its owner alone, and those above it that are missing; one that is there is left as it is. Not by Node's own `recursive`, which
 * tries for ever where the directory above is there and still "not found": below `/proc`, and where it is a link to a disk that is not mounted.
 */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const parent = dirname(path);
    if ((error as { code?: unknown }).code === 'ENOENT' && parent !== path && !existsSync(parent)) {
      makeDirectory(parent);
      makeDirectory(path);
    } else if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
