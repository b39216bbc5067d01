// Builds everything that runs into dist/: the server bundle (dist/server.mjs and lazily loaded chunks) the web app (dist/web), and what
// is in them (dist/sbom.cdx.json, dist/third-party-licences.txt).
import { existsSync, globSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stop } from 'esbuild';
import { bundlePrograms, SERVER_PROGRAMS } from './lib/bundle.ts';
import { readLockFile, readManifest } from './lib/lock-file.ts';
import { collectNotices } from './lib/notices.ts';
import { makeSbom } from './lib/sbom.ts';

const ROOT = join(import.meta.dirname, '..');
const OUT = join(ROOT, 'dist');

async function buildServer(): Promise<void> {
  for (const file of globSync(join(OUT, '*.mjs'))) rmSync(file);
  await bundlePrograms(SERVER_PROGRAMS, OUT);
  const lock = readLockFile();
  writeFileSync(join(OUT, 'sbom.cdx.json'), `${JSON.stringify(makeSbom(lock, readManifest()), null, 2)}\n`);
  writeFileSync(join(OUT, 'third-party-licences.txt'), collectNotices(lock));
}

async function buildWebApp(): Promise<void> {
  const script = join(ROOT, 'web/build.ts');
  if (!existsSync(script)) return;
  const { buildWeb } = (await import(pathToFileURL(script).href)) as { buildWeb: (outDir: string) => Promise<void> };
  await buildWeb(join(OUT, 'web'));
}

const startedAt = performance.now();
// npm run build -- server    leaves the web app as it is
const parts = process.argv[2] === 'server' ? [buildServer()] : [buildServer(), buildWebApp()];
const results = await Promise.allSettled(parts);
await stop();
const failures = results.filter((result) => result.status === 'rejected');
for (const { reason } of failures) console.error(reason instanceof Error ? reason.message : reason);
if (failures.length > 0) process.exitCode = 1;
else console.log(`built dist/ in ${Math.round(performance.now() - startedAt)} ms`);
