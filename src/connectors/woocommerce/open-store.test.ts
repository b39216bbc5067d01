import { after } from 'node:test';
import type { VariantId } from '../../model/ids.ts';
import type { ProductFields, VariantFields } from '../../model/product.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { NewVariant, ProductWrite } from '../../ports/connector.ts';
import { createWooSandbox } from '../../sandbox/woocommerce/create-woo-sandbox.ts';
import { SeededRandom, seededRandomPort } from '../../testing/simulator/random.ts';
import { VirtualClock } from '../../testing/simulator/virtual-clock.ts';
import { type HttpResponse, TransportError } from '../shared/transport.ts';
import { createWooConnector } from './connector.ts';

const closers: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closers) await close();
});

interface Sent {
  readonly method: string;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into field by field
  readonly body: any;
}

/** A store and our connection to it, with what leaves for it noted. */
export async function openStore({ version = '10.5.0' } = {}) {
  const clock = new VirtualClock();
  const stop = clock.autoRun();
  const sandbox = createWooSandbox({ siteUrl: 'https://shop.example', version });
  await sandbox.app.ready();
  closers.push(async () => {
    stop();
    await sandbox.close();
  });
  const sent: Sent[] = [];
  const hooks = {
    onSent: (_path: string): void => undefined,
    /** In place of the store's own answer. */
    answer: (
      _path: string,
      _body?: unknown,
      _query?: URLSearchParams,
    ): HttpResponse | null | Promise<HttpResponse | null> => null,
  };
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await sandbox.app.inject({
      method: method as 'GET',
      url: `/wp-json/wc/v3${path}`,
      headers: {
        authorization: `Basic ${Buffer.from('ck_sandbox:cs_sandbox').toString('base64')}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return response.json();
  };
  const connector = createWooConnector({
    url: 'https://shop.example',
    consumerKey: 'ck_sandbox',
    consumerSecret: 'cs_sandbox',
    webhookSecrets: ['s'],
    version,
    clock,
    random: seededRandomPort(new SeededRandom('writes'), clock),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    transport: async (request) => {
      const url = new URL(request.url);
      const body = request.body === undefined ? undefined : JSON.parse(request.body as string);
      if (request.method !== 'GET')
        sent.push({ method: request.method, path: url.pathname.replace('/wp-json/wc/v3', ''), body });
      hooks.onSent(url.pathname);
      const answer = await hooks.answer(url.pathname, body, url.searchParams);
      if (answer !== null) return answer;
      const response = await sandbox.app.inject({
        method: request.method as 'GET',
        url: `${url.pathname}${url.search}`,
        headers: { ...request.headers },
        ...(request.body === undefined ? {} : { payload: request.body as string }),
      });
      if (request.signal?.aborted) throw new TransportError('after_send', 'aborted', 'the call was cancelled');
      const headers = Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      );
      return { status: response.statusCode, headers, body: response.rawPayload };
    },
  });
  const read = async (id: number | string): Promise<ProductSnapshot> => {
    const [outcome] = await connector.readProducts([String(id)]);
    if (!outcome?.ok) throw outcome?.error;
    return outcome.value;
  };
  return { sandbox, connector, sent, call, read, hooks, clock, controls: sandbox.controls };
}

export const fields = (change: Partial<ProductFields> = {}): ProductFields => ({
  title: 'Shirt',
  descriptionHtml: '<p>x</p>',
  status: 'active',
  tags: [],
  optionNames: [],
  handle: 'shirt',
  ...change,
});
export const variant = (change: Partial<VariantFields> = {}, quantity = 5): NewVariant => ({
  variantId: 'var_1' as VariantId,
  fields: {
    sku: '',
    barcode: '',
    price: { regularMinor: 1000, saleMinor: null },
    weightMg: null,
    optionValues: [],
    backorders: 'no',
    taxable: true,
    requiresShipping: true,
    ...change,
  },
  stock: { tracked: true, quantity },
});
export const create = (
  change: Partial<ProductFields>,
  variants: readonly NewVariant[],
  hubId = 'prd_1',
): ProductWrite => ({
  type: 'create',
  mark: { pairId: 'pair_1', hubId },
  fields: fields(change),
  variants,
});
export const update = (
  seen: ProductSnapshot,
  change: Partial<Extract<ProductWrite, { type: 'update' }>>,
): ProductWrite => ({
  type: 'update',
  externalId: seen.externalId,
  fields: {},
  variants: [],
  newVariants: [],
  archiveVariants: [],
  seen,
  ...change,
});
export const SIZES = [variant({ optionValues: ['S'] }), variant({ optionValues: ['M'] })];
