// npm run audit: what can be told of the dependencies without a network, then what the registry knows of weaknesses, if it answers.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditLock } from './lib/audit-lock.ts';
import { readLockFile, readManifest } from './lib/lock-file.ts';

const ROOT = join(import.meta.dirname, '..');
const TIMEOUT_MS = 60_000;

interface NpmAudit {
  readonly metadata?: { readonly vulnerabilities: Readonly<Record<string, number>> };
}

const lock = readLockFile();
const findings = auditLock({
  lock,
  manifest: readManifest(),
  npmrc: readFileSync(join(ROOT, '.npmrc'), 'utf8'),
});
for (const finding of findings) console.log(`FOUND ${finding}`);
console.log(
  `${Object.keys(lock.packages).length - 1} packages: origin, hashes, scripts, licences, known bad versions.`,
);
if (findings.length > 0) process.exitCode = 1;

const asked = spawnSync('npm', ['audit', '--json'], { cwd: ROOT, encoding: 'utf8', timeout: TIMEOUT_MS });
const answer = parse(asked.stdout);
const known = answer?.metadata?.vulnerabilities;
if (known === undefined) {
  console.log('Weaknesses found since: NOT LOOKED AT, the registry gave no answer.');
} else if ((known['total'] ?? 0) === 0) console.log('Weaknesses found since: none that the registry knows of.');
else {
  console.log(`Weaknesses found since: ${JSON.stringify(known)}. "npm audit" names them.`);
  process.exitCode = 1;
}

function parse(text: string | null): NpmAudit | null {
  try {
    return JSON.parse(text ?? '') as NpmAudit;
  } catch {
    return null;
  }
}
