import { parseArgs } from 'node:util';
import { createShopifySandbox } from './create-shopify-sandbox.ts';

/**
 * A store in a process of its own, for benchmarks and for trying things by hand:
 *
 *   node src/sandbox/shopify/serve.ts --port 4001 --products 10000 --variants 3 --unthrottled
 *
 * Prints one line of JSON when it listens. `GET /__sandbox/stats`, `POST /__sandbox/<control>` with an array of arguments.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
    products: { type: 'string', default: '0' },
    variants: { type: 'string', default: '1' },
    'sku-prefix': { type: 'string', default: 'TS-' },
    'shop-domain': { type: 'string' },
    token: { type: 'string' },
    secret: { type: 'string' },
    'client-id': { type: 'string' },
    unthrottled: { type: 'boolean', default: false },
    'record-times': { type: 'boolean', default: false },
    'allow-http-webhooks': { type: 'boolean', default: false },
  },
});

const sandbox = createShopifySandbox({
  controlRoutes: true,
  unthrottled: values.unthrottled,
  recordTimes: values['record-times'],
  allowHttpWebhooks: values['allow-http-webhooks'],
  ...(values['shop-domain'] === undefined ? {} : { shopDomain: values['shop-domain'] }),
  ...(values.token === undefined ? {} : { accessToken: values.token }),
  ...(values.secret === undefined ? {} : { clientSecret: values.secret }),
  ...(values['client-id'] === undefined ? {} : { clientId: values['client-id'] }),
});
if (Number(values.products) > 0)
  sandbox.controls.seed(Number(values.products), Number(values.variants), values['sku-prefix']);
const { origin, shopDomain } = await sandbox.listen(Number(values.port), values.host);
console.log(
  JSON.stringify({
    ready: true,
    origin,
    shopDomain,
    pid: process.pid,
    products: Number(values.products),
    variants: Number(values.variants),
  }),
);

const stop = () => {
  sandbox.close().catch((error: unknown) => console.error(error));
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
