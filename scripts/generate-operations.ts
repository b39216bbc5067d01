/** Writes src/connectors/shopify/operations.gen.ts from the .graphql files beside it: `node scripts/generate-operations.ts`. */
import { writeFileSync } from 'node:fs';
import { renderOperations } from '../src/connectors/shopify/render-operations.ts';

const target = new URL('../src/connectors/shopify/operations.gen.ts', import.meta.url);
writeFileSync(target, renderOperations());
console.log(`wrote ${target.pathname}`);
