import { parseArgs } from 'node:util';
import { createWooSandbox } from './create-woo-sandbox.ts';
import { DEFAULT_KEY } from './options.ts';
import { DEFAULT_SKU_PREFIX } from './seed.ts';

/** A store as a process of its own, for benchmarks. Prints one line of JSON when it answers. Loopback only. */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    products: { type: 'string', default: '0' },
    variants: { type: 'string', default: '1' },
    'sku-prefix': { type: 'string', default: DEFAULT_SKU_PREFIX },
    key: { type: 'string', default: DEFAULT_KEY.key },
    secret: { type: 'string', default: DEFAULT_KEY.secret },
    queue: { type: 'string', default: 'immediate' },
  },
});

if (values.queue !== 'immediate' && values.queue !== 'action-scheduler') {
  throw new Error('--queue must be immediate or action-scheduler');
}
const sandbox = createWooSandbox({
  queue: values.queue,
  controlRoutes: true,
  keys: [{ key: values.key, secret: values.secret, permissions: 'read_write' }],
});
sandbox.controls.seed(Number(values.products), Number(values.variants), values['sku-prefix']);
const { origin, url } = await sandbox.listen(Number(values.port));
console.log(JSON.stringify({ ready: true, pid: process.pid, origin, url, key: values.key, secret: values.secret }));

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void sandbox.close());
}
