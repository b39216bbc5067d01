import { createHash } from 'node:crypto';
import { findFrom, type LockedPackage, type LockFile, type Manifest, nameAt, productionPackages } from './lock-file.ts';

/** The parts of CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/) that are used here. */
export interface Sbom {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.6';
  readonly serialNumber: string;
  readonly version: 1;
  readonly metadata: { readonly component: SbomComponent };
  readonly components: readonly SbomComponent[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

export interface SbomComponent {
  readonly type: 'application' | 'library';
  readonly 'bom-ref': string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly scope?: 'required' | 'optional';
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[];
  readonly licenses: readonly ({ readonly license: { readonly id: string } } | { readonly expression: string })[];
  readonly purl: string;
  readonly externalReferences?: readonly { readonly type: 'distribution'; readonly url: string }[];
}

/**
 * What production consists of, with licences and hashes, from package-lock.json alone: the same file gives the same bill, byte for byte, which is why it
 * bears no date. Packages of other platforms, which npm leaves out here, are in it as optional.
 */
export function makeSbom(lock: LockFile, manifest: Manifest): Sbom {
  const packages = productionPackages(lock);
  const components = new Map<string, SbomComponent>();
  const dependsOn = new Map<string, Set<string>>();
  for (const [place, one] of packages) {
    const ref = purlOf(nameAt(place), one.version ?? '');
    if (!components.has(ref)) components.set(ref, componentOf(nameAt(place), one, ref));
    const mine = dependsOn.get(ref) ?? new Set();
    for (const name of needsOf(one)) {
      const found = findFrom(lock, place, name);
      const version = found === null ? undefined : lock.packages[found]?.version;
      if (version !== undefined) mine.add(purlOf(name, version));
    }
    dependsOn.set(ref, mine);
  }
  const root = purlOf(manifest.name, manifest.version);
  const direct = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  dependsOn.set(
    root,
    new Set(direct.map((name) => purlOf(name, lock.packages[`node_modules/${name}`]?.version ?? ''))),
  );
  const bill = {
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        name: manifest.name,
        version: manifest.version,
        licenses: licensesOf(manifest.license),
        purl: root,
      },
    },
    components: [...components.values()].sort(byRef),
    dependencies: [...dependsOn]
      .map(([ref, needs]) => ({ ref, dependsOn: [...needs].filter((one) => components.has(one)).sort() }))
      .sort((a, b) => (a.ref < b.ref ? -1 : 1)),
  } as const;
  const head = { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: serialOf(bill), version: 1 } as const;
  return { ...head, ...bill };
}

function needsOf(one: LockedPackage): readonly string[] {
  return Object.keys({ ...one.dependencies, ...one.optionalDependencies, ...one.peerDependencies });
}

function componentOf(fullName: string, one: LockedPackage, ref: string): SbomComponent {
  const [group, name] = fullName.startsWith('@') ? fullName.split('/') : [undefined, fullName];
  const hash = /^sha512-(.+)$/.exec(one.integrity ?? '')?.[1];
  return {
    type: 'library',
    'bom-ref': ref,
    ...(group === undefined ? {} : { group }),
    name: name ?? fullName,
    version: one.version ?? '',
    scope: one.optional === true ? 'optional' : 'required',
    ...(hash === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
    licenses: licensesOf(one.license ?? 'NOASSERTION'),
    purl: ref,
    // The file that the hash is of.
    externalReferences: [
      { type: 'distribution', url: `https://registry.npmjs.org/${fullName}/-/${name}-${one.version}.tgz` },
    ],
  };
}

function licensesOf(license: string): SbomComponent['licenses'] {
  return / (OR|AND|WITH) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

/** https://github.com/package-url/purl-spec: the @ of a scope is encoded. */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`;
}

/** A UUID made of the content (version 8 of RFC 9562): another bill has another number. */
function serialOf(bill: object): string {
  const bytes = createHash('sha256').update(JSON.stringify(bill)).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `urn:uuid:${[hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')}`;
}

function byRef(a: SbomComponent, b: SbomComponent): number {
  return a['bom-ref'] < b['bom-ref'] ? -1 : 1;
}
