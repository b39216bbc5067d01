import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MOUNT = '/sys/fs/cgroup/memory';

/** A group of processes that the kernel kills beyond a limit (cgroup v1). */
export interface MemoryLimit {
  readonly procsFile: string;
  /** Highest use of the group, page cache included, bytes. */
  peakBytes(): number;
  close(): void;
}

/** Null where there is no writable memory controller, as without root: the caller then holds VmHWM against the limit. */
export function createMemoryLimit(bytes: number): MemoryLimit | null {
  try {
    const own = readFileSync('/proc/self/cgroup', 'utf8')
      .split('\n')
      .find((line) => line.split(':')[1] === 'memory')
      ?.split(':')[2];
    if (own === undefined || !existsSync(MOUNT)) return null;
    const dir = join(MOUNT, own, `bench-${process.pid}-${Math.round(performance.now())}`);
    mkdirSync(dir);
    writeFileSync(join(dir, 'memory.limit_in_bytes'), String(bytes));
    if (existsSync(join(dir, 'memory.memsw.limit_in_bytes')))
      writeFileSync(join(dir, 'memory.memsw.limit_in_bytes'), String(bytes));
    return {
      procsFile: join(dir, 'cgroup.procs'),
      peakBytes: () => Number(readFileSync(join(dir, 'memory.max_usage_in_bytes'), 'utf8')),
      close() {
        try {
          rmdirSync(dir);
        } catch {
          // Still holds a process: the kernel keeps an empty group, which costs nothing.
        }
      },
    };
  } catch {
    return null;
  }
}
