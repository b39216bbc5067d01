import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductStatus } from '../../model/product.ts';
import type { Log } from '../../ports/log.ts';
import type { CallOptions, ShopifyClient } from './client.ts';
import { OPERATIONS } from './operations.gen.ts';
import { firstUserError } from './user-errors.ts';
import { PublicationsAnswer, PublishAnswer, type Shape } from './wire.ts';

type Publications = typeof PublicationsAnswer extends Shape<infer T> ? T : never;

/** Until when it is sent, and until when its answer is waited for. */
type Until = Pick<CallOptions, 'signal' | 'cut'>;

/**
 * ACTIVE is not visible: a product is in the online store only once it is published there. Where that is not allowed or not possible the product is
 * still a good product, so the write stands and `state()` tells the doctor. Any other fault is thrown, and whoever repeats the write publishes again,
 * which is harmless.
 */
export interface Publisher {
  publish(productId: string, until: Until): Promise<void>;
  /** 'no_permission' and 'no_online_store' once it was tried. */
  state(): 'unknown' | 'ready' | 'no_permission' | 'no_online_store';
}

/** Whether a product of this status is shown where it is published. */
export function isVisible(status: ProductStatus): boolean {
  return status === 'active' || status === 'unlisted';
}

/** Each app that sells is a channel, and so may be each market: a few dozen in large shops. */
const PAGES_MAX = 20;
const RETRY_AFTER_MS = 10 * 60_000;

export function createPublisher(client: ShopifyClient, clock: { now(): number }, log: Log): Publisher {
  let state: ReturnType<Publisher['state']> = 'unknown';
  let publicationId: string | null = null;
  let triedAt = Number.NEGATIVE_INFINITY;

  async function onlineStore({ signal }: Until): Promise<string | null> {
    if (publicationId !== null) return publicationId;
    if (state !== 'unknown' && clock.now() - triedAt < RETRY_AFTER_MS) return null;
    triedAt = clock.now();
    let found: { readonly id: string } | undefined;
    for (let pages = 1, after: string | null = null; found === undefined && pages <= PAGES_MAX; pages += 1) {
      const { publications }: Publications = await client.call(OPERATIONS.publications, { after }, PublicationsAnswer, {
        signal,
        // The catalogue of a channel whose app has no rights to products is shown to nobody; that says nothing of the others.
        tolerates: ({ path = [], extensions }) => extensions?.code === 'ACCESS_DENIED' && path.length > 1,
      });
      found = publications.nodes.find(
        ({ catalog }) =>
          catalog?.apps?.nodes.some((app) => app.handle === 'online_store') === true ||
          catalog?.title === 'Online Store',
      );
      if (!publications.pageInfo.hasNextPage) break;
      after = publications.pageInfo.endCursor;
    }
    publicationId = found?.id ?? null;
    state = publicationId === null ? 'no_online_store' : 'ready';
    return publicationId;
  }

  async function attempt(productId: string, until: Until): Promise<void> {
    const id = await onlineStore(until);
    if (id === null) return;
    const variables = { id: productId, input: [{ publicationId: id }] };
    const answer = await client.call(OPERATIONS.publish, variables, PublishAnswer, until);
    const error = firstUserError(answer.publishablePublish.userErrors);
    if (error !== null) throw error;
  }

  async function publish(productId: string, until: Until): Promise<void> {
    try {
      await attempt(productId, until);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      if (error.kind === 'unauthorized' && error.details.platformCode === 'ACCESS_DENIED') {
        state = 'no_permission';
        publicationId = null;
      } else if (error.kind !== 'rejected' && error.kind !== 'not_found') throw error;
      log.warn({ productId, kind: error.kind }, 'a product could not be published to the online store');
    }
  }

  return { state: () => state, publish };
}
