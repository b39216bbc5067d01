import { present } from '../../lib/assert.ts';
import { skuKey } from '../../lib/record-keys.ts';
import type { VariantFields } from '../../model/product.ts';
import type { RawDelivery } from '../../ports/connector.ts';
import { describeConnectorContract } from '../../testing/contract/connector-contract.ts';
import { createOf, simpleProduct, unique } from '../../testing/contract/fixtures.ts';
import type {
  ContractHarness,
  FaultPlacement,
  HarnessRequest,
  InjectedFault,
  ShopControls,
} from '../../testing/contract/harness.ts';
import { SeededRandom } from '../../testing/simulator/random.ts';
import { VirtualClock } from '../../testing/simulator/virtual-clock.ts';
import { MemoryConnector } from './connector.ts';
import type { FaultPlan, RequestFault } from './fault-plan.ts';
import { PERSONALITIES, type Personality } from './personality.ts';
import { MemoryPlatform } from './platform.ts';
import { snapshotOf } from './records.ts';
import { signDelivery } from './webhooks.ts';

/** Injected faults, first come first served; without any it is a calm day. */
class ScriptedPlan implements FaultPlan {
  firedCount = 0;
  #script: { readonly fault: InjectedFault; readonly on: FaultPlacement['on']; times: number; skip: number }[] = [];

  inject(fault: InjectedFault, { on, times = 1, skip = 0 }: FaultPlacement): void {
    this.#script.push({ fault, on, times, skip });
  }

  clear(): void {
    this.#script = [];
  }

  request({ isWrite }: { readonly isWrite: boolean }) {
    return { latencyMs: 20, handledAfterMs: 12, isSlow: false, fault: this.#next(isWrite) };
  }

  delivery() {
    return { delaysMs: [50], isLate: false };
  }

  #next(isWrite: boolean): RequestFault | null {
    const entry = this.#script.find(({ on, times }) => times > 0 && (on === 'any' || (on === 'write') === isWrite));
    if (!entry) return null;
    if (entry.skip > 0) {
      entry.skip -= 1;
      return null;
    }
    entry.times -= 1;
    this.firedCount += 1;
    return entry.fault;
  }
}

const CALLBACK_URL = 'https://twinshelf.example/hooks/memory';
const PREVIOUS_SECRET = 'the-secret-before-the-rotation';
const TOKEN = 'token-which-nobody-may-see';
const SECRET = 'secret-that-signs-deliveries';

function makeHarness(
  personality: Personality,
  { currency, hugeIds, pageSize, clockSkewMs }: HarnessRequest,
): ContractHarness {
  const clock = new VirtualClock();
  const stop = clock.autoRun();
  const plan = new ScriptedPlan();
  const deliveries: RawDelivery[] = [];
  const platform = new MemoryPlatform({
    name: 'contract.example',
    personality: { ...personality, pageSize: pageSize ?? personality.pageSize },
    clock,
    random: new SeededRandom('contract'),
    faults: plan,
    skewMs: clockSkewMs ?? 0,
    currency: currency ?? 'EUR',
    token: TOKEN,
    webhookSecret: SECRET,
    deliver: (delivery) => {
      deliveries.push(delivery);
      return true;
    },
    ...(hugeIds ? { firstId: 2n ** 53n + 1n } : {}),
  });
  const open = () => new MemoryConnector(platform, { previousWebhookSecret: PREVIOUS_SECRET });
  const { webhooks } = platform;
  let foreign = 0;
  return {
    connector: open(),
    currency: platform.currency,
    cannot: {
      capture: 'the memory connector logs nothing and knows no URLs',
      ...(personality.hasBin ? {} : { bin: 'this personality has no bin' }),
      ...(personality.uniqueSkus ? { duplicate_skus: 'this personality keeps SKUs unique' } : {}),
      ...(personality.stockMovesModifiedAt
        ? {}
        : { poll_sees_sales: 'a sale does not move the modification time here' }),
    },
    unknown: { productId: '900000001', stockId: 'i900000002' },
    pageSize: platform.personality.pageSize,
    shop: shopOf(platform),
    faults: {
      supported: ['rate_limited', 'server_error', 'timeout', 'connection_lost', 'malformed', 'html_404'],
      inject: (fault, placement) => plan.inject(fault, placement),
      shutSku: (sku) => void platform.shutKeys.add(`sku:${skuKey(sku)}`),
      clear: () => plan.clear(),
      firedCount: () => plan.firedCount,
      requestCount: (kind) => platform.requestCounts[kind],
      ownThrottleCount: () => platform.fired.get('own_throttle') ?? 0,
    },
    webhooks: {
      callbackUrl: CALLBACK_URL,
      list: async () => webhooks.hooks.map(({ id, url, isActive }) => ({ id, url, isActive })),
      addForeign: async (url) => {
        webhooks.add(url, present(webhooks.topics[foreign++ % webhooks.topics.length], 'a topic'));
      },
      breakOne: async () => {
        const hook = present(
          webhooks.hooks.find(({ url }) => url === CALLBACK_URL),
          'a webhook of ours',
        );
        hook.isActive = false;
      },
      take: async () => {
        await clock.sleep(1_000);
        return deliveries.splice(0);
      },
      sign: (body, secret) => ({
        headers: {
          'x-memory-topic': 'product.updated',
          'x-memory-delivery-id': unique(),
          'x-memory-signature': signDelivery(
            body,
            { current: SECRET, previous: PREVIOUS_SECRET, stranger: 'x' }[secret],
          ),
        },
        body,
      }),
    },
    secrets: [TOKEN, SECRET, PREVIOUS_SECRET],
    refusedCreate: async () => createOf(simpleProduct({ title: ' ' })),
    captured: () => [],
    now: () => clock.now(),
    advance: (ms) => clock.sleep(ms),
    settleSearch: () => clock.sleep(personality.searchLagMs + 1),
    reopen: async () => open(),
    close: async () => stop(),
  };
}

/** The merchant's hands answer within a few milliseconds, so that time passes as it does elsewhere. */
function shopOf(platform: MemoryPlatform): ShopControls {
  const { outside, shelf, clock } = platform;
  const acted = async <T>(result: T | null): Promise<T> => {
    await clock.sleep(3);
    return present(result, 'the platform lets the merchant do it');
  };
  return {
    addProduct: async (product) => {
      const { id, variants } = await acted(outside.addProduct(product));
      return {
        externalId: id,
        variants: variants.map((variant) => ({ externalId: variant.id, stockId: variant.stockId })),
      };
    },
    editProduct: async (id, fields) => {
      for (const [field, to] of Object.entries(fields))
        await acted(outside.editProduct(id, field as 'title', to as string));
    },
    editVariant: async (productId, variantId, fields) => {
      const variants = shelf.products.get(productId)?.variants ?? [];
      const { stockId } = present(
        variants.find((variant) => variant.id === variantId),
        'the variant',
      );
      for (const [field, to] of Object.entries(fields)) {
        await acted(outside.editVariant(stockId, field as keyof VariantFields, to as string));
      }
    },
    sell: async (stockId, count) => void (await acted(outside.sell(stockId, count))),
    setStock: async (stockId, quantity) => void (await acted(outside.recount(stockId, quantity))),
    quantity: async (stockId) => present(shelf.items.get(stockId), 'the item').variant.quantity,
    unstock: async (stockId) => void (await acted(outside.unstock(stockId))),
    trash: async (id) => void (await acted(outside.deleteProduct(id, 'bin'))),
    restore: async (id) => void (await acted(outside.restore(id))),
    destroy: async (id) => void (await acted(outside.deleteProduct(id, 'hard'))),
    peek: async (id) => {
      const product = shelf.products.get(id);
      return product ? structuredClone({ ...snapshotOf(product), variants: product.variants }) : null;
    },
    revokeCredentials: async () => platform.revokeCredentials(),
    restoreCredentials: async () => platform.restoreCredentials(),
  };
}

for (const [name, personality] of Object.entries(PERSONALITIES)) {
  describeConnectorContract(`memory, ${name} (${personality.stockWrite})`, async (request) =>
    makeHarness(personality, request),
  );
}
