// npm run sbom --silent: the bill of materials (CycloneDX 1.6, JSON) of what production consists of, as the build puts it into dist/.
import { readLockFile, readManifest } from './lib/lock-file.ts';
import { makeSbom } from './lib/sbom.ts';

console.log(JSON.stringify(makeSbom(readLockFile(), readManifest()), null, 2));
