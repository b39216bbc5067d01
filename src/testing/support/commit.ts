import { spawnSync } from 'node:child_process';

/** The hash of the commit that is checked out; without git, always the same text. Whoever draws from it plays the same again on the same commit. */
export function commitHash(): string {
  // A checkout that belongs to another user (a container's) is one that git would not look at.
  const args = ['-c', 'safe.directory=*', 'rev-parse', 'HEAD'];
  const { status, stdout } = spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : 'no commit';
}
