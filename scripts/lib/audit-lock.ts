import { KNOWN_BAD } from './known-bad-versions.ts';
import { type LockedPackage, type LockFile, type Manifest, nameAt, productionPackages } from './lock-file.ts';

const REGISTRY = 'https://registry.npmjs.org/';

/** Licences that ask for no more than their own text beside what we give away. */
const LICENSES = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0'],
  ...['Python-2.0', 'Unlicense'],
  // Fonts, given away as they are.
  'OFL-1.1',
]);

/** Tools that are given to nobody may also have these. */
const TOOL_LICENSES = new Set([...LICENSES, 'MPL-2.0']);

/** They have scripts that npm would run, and do without them: `.npmrc` lets none run. */
const INSTALL_SCRIPTS = new Set(['esbuild']);

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

export interface AuditInput {
  readonly lock: LockFile;
  readonly manifest: Manifest;
  /** The text of `.npmrc`. */
  readonly npmrc: string;
}

/**
 * What can be told of the dependencies without a network: where they come from, that each is fixed by its hash, that nothing of theirs runs while they are
 * installed, their licences, and that none is a version known to have been published by an intruder. It can't know of weaknesses that were
 * found since: `npm audit` asks for those, online.
 */
export function auditLock({ lock, manifest, npmrc }: AuditInput): readonly string[] {
  const own = new Set(productionPackages(lock).map(([place]) => place));
  return [
    ...auditManifest(lock, manifest),
    ...(/^ignore-scripts\s*=\s*true$/m.test(npmrc) ? [] : ['.npmrc: ignore-scripts=true is missing']),
    ...Object.entries(lock.packages)
      .filter(([place]) => place !== '')
      .flatMap(([place, one]) => auditPackage(place, one, own.has(place)).map((finding) => `${place}: ${finding}`)),
  ];
}

function auditManifest(lock: LockFile, manifest: Manifest): readonly string[] {
  const findings = lock.lockfileVersion === 3 ? [] : [`package-lock.json: version ${lock.lockfileVersion}, not 3`];
  for (const group of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
    for (const [name, version] of Object.entries(manifest[group] ?? {})) {
      if (!EXACT.test(version)) findings.push(`package.json: ${name} "${version}" is not one version`);
      else if (lock.packages[`node_modules/${name}`]?.version !== version) {
        findings.push(`package-lock.json: ${name} is not the ${version} of package.json: run npm install`);
      }
    }
  }
  return findings;
}

function auditPackage(place: string, one: LockedPackage, isShipped: boolean): readonly string[] {
  const name = nameAt(place);
  const { version = '', resolved, integrity = '', license = 'none' } = one;
  const findings: string[] = [];
  if (one.link === true) findings.push('is a link to a folder');
  // Without an address it is the registry's own, under this name.
  if (resolved !== undefined && !resolved.startsWith(`${REGISTRY}${name}/-/`)) {
    findings.push(`comes from ${resolved}, not from the registry under its name`);
  }
  if (!EXACT.test(version)) findings.push(`has no version (${version})`);
  if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity)) findings.push('is not fixed by a SHA-512');
  if (one.hasInstallScript === true && !INSTALL_SCRIPTS.has(name))
    findings.push('wants to run a script when installed');
  if (!isAllowed(license, isShipped ? LICENSES : TOOL_LICENSES)) findings.push(`has the licence ${license}`);
  if (KNOWN_BAD[name]?.includes(version) === true) findings.push(`${version} was published by an intruder`);
  return findings;
}

/** "(MIT OR GPL-3.0)": one of them is enough; with AND all have to be. */
function isAllowed(license: string, allowed: ReadonlySet<string>): boolean {
  const text = license.replaceAll(/[()]/g, ' ').trim();
  if (text.includes(' WITH ')) return false;
  return text.split(/ OR /).some((choice) => choice.split(/ AND /).every((one) => allowed.has(one.trim())));
}
