/** Writes web/api/client.gen.ts from the API's own description: `node scripts/generate-client.ts`. */
import { writeFileSync } from 'node:fs';
import { describeApi } from '../src/http/openapi.ts';
import { renderClient } from '../src/http/render-client.ts';
import { makeTestApp } from '../src/testing/http/make-test-app.ts';

const target = new URL('../web/api/client.gen.ts', import.meta.url);
await using app = await makeTestApp();
writeFileSync(target, renderClient(describeApi(app.server.knownRoutes, '', null)));
console.log(`wrote ${target.pathname}`);
