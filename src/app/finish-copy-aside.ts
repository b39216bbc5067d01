import { Worker } from 'node:worker_threads';
import type { FinishedCopy } from '../db/backup.ts';

/** Enough for a program that only hands a path to SQLite. */
const HEAP_MAX_MB = 64;

/** `finishCopy` in a thread of its own: reading 200 MB from end to end takes a second, in which the server would answer nobody. */
export function finishCopyAside(partial: string): Promise<FinishedCopy> {
  // The bundle has it as a file beside its own.
  const name = import.meta.url.endsWith('.ts') ? './finish-copy-thread.ts' : './finish-copy-thread.mjs';
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(name, import.meta.url), {
      workerData: partial,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that checks the copy ended early')));
  });
}
