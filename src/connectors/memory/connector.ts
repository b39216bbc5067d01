import { assert } from '../../lib/assert.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { CanonicalProduct } from '../../model/product.ts';
import type { SearchKey } from '../../model/search-key.ts';
import type { Mark, ProductSnapshot } from '../../model/snapshot.ts';
import type { Finding, StoreInfo, StoreUnits } from '../../model/store-info.ts';
import type {
  Bin,
  Capabilities,
  Connector,
  ProductWrite,
  RawDelivery,
  ReadOutcome,
  ScanPage,
  ScanRequest,
  StockWrite,
  StockWriteOutcome,
  WriteOutcome,
} from '../../ports/connector.ts';
import { keptByBin, listBin } from './bin.ts';
import type { Operation } from './fault-plan.ts';
import { findingOf } from './finding-of.ts';
import { byIdentifier, byKeys, changedPage, markPage, scanPage } from './listings.ts';
import { representAs } from './lossy.ts';
import { capabilitiesOf } from './personality.ts';
import type { Handling, MemoryPlatform } from './platform.ts';
import { type StepResult, stepsOf } from './product-write.ts';
import { readProduct, readProducts, readStock, refusalOfFields, writeStock } from './server.ts';
import { Transport } from './transport.ts';
import { verifyMemoryDelivery } from './verify.ts';

export interface MemoryConnectorOptions {
  /** Whether the process that uses this connector lives. Once it doesn't, no call settles any more; what was sent still lands. */
  readonly isAlive?: () => boolean;
  /** Until the machine of that process wakes; null: it is awake. What was sent is carried out meanwhile, and its answer waits. */
  readonly asleep?: () => Promise<void> | null;
  /** When it last woke, by true time; 0: it never slept. */
  readonly brokenAt?: () => number;
  /** Ours; what the platform doesn't know is answered as unauthorized. The platform's own when left out. */
  readonly token?: string;
  readonly previousWebhookSecret?: string;
}

/** Times of creation are compared with this much to spare: a shop's clock may be turned between a create and the look-up for it. */
const CREATED_MARGIN_MS = 3 * 3_600_000;

/** The `Connector` onto a memory platform. */
export class MemoryConnector implements Connector {
  readonly platform;
  readonly capabilities: Capabilities;
  readonly #shop: MemoryPlatform;
  readonly #transport: Transport;
  readonly #secrets: readonly (() => string)[];

  constructor(shop: MemoryPlatform, options: MemoryConnectorOptions = {}) {
    const { personality } = shop;
    this.platform = personality.platform;
    this.capabilities = capabilitiesOf(personality);
    this.#shop = shop;
    this.#transport = new Transport(
      shop,
      {
        isAlive: options.isAlive ?? (() => true),
        asleep: options.asleep ?? (() => null),
        brokenAt: options.brokenAt ?? (() => 0),
      },
      options.token ?? shop.token,
    );
    const { previousWebhookSecret: previous } = options;
    this.#secrets = [() => shop.webhookSecret, ...(previous === undefined ? [] : [() => previous])];
  }

  represent(product: CanonicalProduct): CanonicalProduct {
    return representAs(product, this.#shop.personality.lossy);
  }

  refusalOf(write: ProductWrite, bin?: Bin): ConnectorError | null {
    return refusalOfFields(write) ?? (write.type === 'create' ? keptByBin(write, bin) : null);
  }

  /** Nothing is asked of it. */
  async listBin(): Promise<Bin> {
    return listBin(this.#shop);
  }

  async inspect(signal?: AbortSignal): Promise<{ info: StoreInfo | null; findings: Finding[] }> {
    const shop = this.#shop;
    try {
      const answer = await this.#read('inspect', 1, signal, () => ({
        productCount: shop.shelf.products.size,
        skewMs: shop.shelf.now() - shop.clock.now(),
      }));
      const info: StoreInfo = {
        identity: `memory:${shop.name}`,
        name: shop.name,
        ...(await this.readUnits()),
        timeZone: 'UTC',
        version: 'memory',
        productCount: answer.productCount,
        locations: [{ id: 'default', name: 'Default', isActive: true }],
        clockSkewMs: answer.skewMs,
      };
      const finding: Finding = { code: 'STORE_REACHED', level: 'ok', message: 'The store answers.', remedy: '' };
      return { info, findings: [finding] };
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      return { info: null, findings: [findingOf(error)] };
    }
  }

  /** They are what the platform was made with: nothing is asked of it. */
  async readUnits(): Promise<StoreUnits> {
    return { currency: this.#shop.currency, pricesIncludeTax: true, weightUnit: 'kg' };
  }

  async readProducts(ids: readonly string[], signal?: AbortSignal): Promise<ReadOutcome<ProductSnapshot>[]> {
    assert(ids.length <= this.capabilities.readBatchMax, 'readProducts takes at most readBatchMax ids');
    if (ids.length === 0) return [];
    return this.#read('read_products', ids.length, signal, (handling) => readProducts(this.#shop, ids, handling));
  }

  async readStock(ids: readonly string[], signal?: AbortSignal) {
    assert(ids.length <= this.capabilities.stockBatchMax, 'readStock takes at most stockBatchMax ids');
    if (ids.length === 0) return [];
    return this.#read('read_stock', ids.length, signal, (handling) => readStock(this.#shop, ids, handling));
  }

  async writeStock(
    writes: readonly StockWrite[],
    signal?: AbortSignal,
    cut?: AbortSignal,
  ): Promise<StockWriteOutcome[]> {
    assert(writes.length <= this.capabilities.stockBatchMax, 'writeStock takes at most stockBatchMax writes');
    if (writes.length === 0) return [];
    try {
      return await this.#write(
        'write_stock',
        writes.length,
        signal,
        (handling) => writeStock(this.#shop, writes, handling),
        cut,
      );
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      return writes.map(() => ({ outcome: 'failed', error }));
    }
  }

  async writeProducts(
    writes: readonly ProductWrite[],
    signal?: AbortSignal,
    cut?: AbortSignal,
  ): Promise<WriteOutcome[]> {
    assert(writes.length <= this.capabilities.writeBatchMax, 'writeProducts takes at most writeBatchMax writes');
    // At once, as the platforms take them: a batch of one is not older than its neighbour.
    return Promise.all(writes.map((write) => this.#writeProduct(write, signal, cut ?? signal)));
  }

  async findByMark(
    mark: Mark,
    createdAfter: number,
    signal?: AbortSignal,
    isOther: (externalId: string) => boolean = () => false,
  ): Promise<ProductSnapshot | null> {
    const shop = this.#shop;
    if (shop.personality.createBy === 'identifier') {
      const found = await this.#read('find_by_mark', 1, signal, (handling) => byIdentifier(shop, mark, handling));
      return found !== null && isOther(found.externalId) ? null : found;
    }
    let after = 0;
    for (;;) {
      const from = after;
      const page = await this.#read('find_by_mark', 1, signal, (handling) => {
        // The server says its time with every answer; ours is translated into it.
        const skewMs = shop.shelf.now() - shop.clock.now();
        return markPage(shop, mark, createdAfter + skewMs - CREATED_MARGIN_MS, isOther, from, handling);
      });
      if (page.next === null) return page.found;
      after = page.next;
    }
  }

  async findByKeys(keys: readonly SearchKey[], signal?: AbortSignal): Promise<ProductSnapshot[]> {
    if (keys.length === 0) return [];
    return this.#read('find_by_keys', keys.length, signal, (handling) => byKeys(this.#shop, keys, handling));
  }

  async *scan(request: ScanRequest): AsyncGenerator<ScanPage> {
    let { resume } = request;
    for (;;) {
      const from = resume;
      const page = await this.#read('scan', 1, request.signal, (handling) => scanPage(this.#shop, from, handling));
      yield page;
      if (page.isComplete) return;
      resume = page.resume;
    }
  }

  async listChanged(cursor: string | null, signal?: AbortSignal) {
    return this.#read('list_changed', 1, signal, () => changedPage(this.#shop, cursor));
  }

  verifyDelivery(delivery: RawDelivery) {
    const secrets = this.#secrets.map((secret) => secret());
    return verifyMemoryDelivery(delivery, secrets);
  }

  async ensureWebhooks(callbackUrl: string, signal?: AbortSignal): Promise<{ active: number; repaired: number }> {
    const { webhooks } = this.#shop;
    const ours = await this.#ownHooks(callbackUrl, signal);
    let repaired = 0;
    for (const topic of webhooks.topics) {
      const hook = ours.find((candidate) => candidate.topic === topic);
      if (hook?.isActive) continue;
      repaired += 1;
      await this.#write('write_webhook', 1, signal, () => {
        if (hook) Object.assign(hook, { isActive: true, failureCount: 0 });
        else webhooks.add(callbackUrl, topic);
      });
    }
    return { active: webhooks.topics.length, repaired };
  }

  async removeWebhooks(callbackUrl: string, signal?: AbortSignal): Promise<void> {
    for (const hook of await this.#ownHooks(callbackUrl, signal)) {
      await this.#write('write_webhook', 1, signal, () => this.#shop.webhooks.remove(hook.id));
    }
  }

  health() {
    return this.#transport.health();
  }

  // Nothing is held open: the platform is memory.
  async close(): Promise<void> {}

  #read<T>(
    operation: Operation,
    itemCount: number,
    signal: AbortSignal | undefined,
    handle: (handling: Handling) => T,
  ): Promise<T> {
    return this.#transport.send({ operation, isWrite: false, itemCount, signal, cut: signal }, handle);
  }

  #write<T>(
    operation: Operation,
    itemCount: number,
    signal: AbortSignal | undefined,
    handle: (handling: Handling) => T,
    cut = signal,
  ): Promise<T> {
    return this.#transport.send({ operation, isWrite: true, itemCount, signal, cut }, handle);
  }

  #ownHooks(callbackUrl: string, signal: AbortSignal | undefined) {
    return this.#read('list_webhooks', 1, signal, () =>
      this.#shop.webhooks.hooks.filter((hook) => hook.url === callbackUrl),
    );
  }

  /** The last request of a write answers with the record as it is after it. A write that stopped half way is of unknown outcome. */
  async #writeProduct(
    write: ProductWrite,
    signal: AbortSignal | undefined,
    cut: AbortSignal | undefined,
  ): Promise<WriteOutcome> {
    let hasLanded = false;
    try {
      const steps = stepsOf(write, this.#shop);
      let result: StepResult = {
        id: write.type === 'update' ? write.externalId : '',
        newVariantIds: [],
        snapshot: null,
      };
      for (const step of steps) {
        const before = result;
        const until = hasLanded ? cut : signal;
        const run = (handling: Handling): StepResult => {
          const after = step.run(before, handling);
          // What only this connector saw, between two requests of one write, is nothing that the engine knew.
          const isLast = step === steps.at(-1);
          return { ...after, snapshot: isLast ? readProduct(this.#shop, after.id, handling) : null };
        };
        result = await this.#write(step.operation, 1, until, run, cut);
        hasLanded = true;
      }
      if (!result.snapshot) return { ok: false, error: new ConnectorError('not_found', 'No such product.') };
      return { ok: true, snapshot: result.snapshot, newVariantIds: result.newVariantIds };
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      if (!hasLanded || error.kind === 'unknown_outcome') return { ok: false, error };
      return {
        ok: false,
        error: new ConnectorError('unknown_outcome', `Written in part: ${error.message}`, error.details),
      };
    }
  }
}
