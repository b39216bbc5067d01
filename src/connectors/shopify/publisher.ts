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
 * ACTIVE is not visible: a product is in the online store only once it is published there. Where that is not allowed, or there is no online store, the
 * product is still a good product, so the write stands and the doctor tells of it. What the online store refuses is `rejected`, so that it is not put on
 * sale in nobody's sight. Any other fault is thrown, and whoever repeats the write publishes again, which is harmless.
 */
export interface Publisher {
  publish(productId: string, until: Until): Promise<void>;
  /** Whether anything can be published, by a look now; 'unknown' where that was not answered. */
  look(until: Until): Promise<State>;
}

type State = 'unknown' | 'ready' | 'no_permission' | 'no_online_store';

/** Why a channel does not take a product. */
interface Refusal {
  readonly channelId: string;
  readonly error: ConnectorError;
}

/** Whether a product of this status is shown where it is published. */
export function isVisible(status: ProductStatus): boolean {
  return status === 'active' || status === 'unlisted';
}

/** Each app that sells is a channel, and so may be each market: a few dozen in large shops. */
const PAGES_MAX = 20;
const RETRY_AFTER_MS = 10 * 60_000;

export function createPublisher(client: ShopifyClient, clock: { now(): number }, log: Log): Publisher {
  let state: State = 'unknown';
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

  function forget(): void {
    publicationId = null;
    state = 'unknown';
  }

  /** null: it is published, or there is nowhere to publish it. */
  async function attempt(productId: string, until: Until): Promise<Refusal | null> {
    const channelId = await onlineStore(until);
    if (channelId === null) return null;
    try {
      const variables = { id: productId, input: [{ publicationId: channelId }] };
      const answer = await client.call(OPERATIONS.publish, variables, PublishAnswer, until);
      const error = firstUserError(answer.publishablePublish.userErrors);
      if (error !== null) throw error;
      return null;
    } catch (error) {
      if (!(error instanceof ConnectorError) || (error.kind !== 'rejected' && error.kind !== 'not_found')) throw error;
      return { channelId, error };
    }
  }

  /** A channel that was removed and added again has another id. */
  async function attemptAnew(productId: string, refusal: Refusal, until: Until): Promise<Refusal | null> {
    if (publicationId === refusal.channelId) forget();
    return (await onlineStore(until)) === refusal.channelId ? refusal : attempt(productId, until);
  }

  /** Whether it is for want of permission, which is kept in mind then. */
  function isDenied(error: unknown): boolean {
    if (!(error instanceof ConnectorError)) return false;
    if (error.kind !== 'unauthorized' || error.details.platformCode !== 'ACCESS_DENIED') return false;
    state = 'no_permission';
    publicationId = null;
    return true;
  }

  async function publish(productId: string, until: Until): Promise<void> {
    try {
      const first = await attempt(productId, until);
      const refusal = first === null ? null : await attemptAnew(productId, first, until);
      if (refusal !== null) throw notPublished(refusal.error);
    } catch (error) {
      if (!isDenied(error)) throw error;
      log.warn({ productId }, 'a product may not be published to the online store');
    }
  }

  async function look(until: Until): Promise<State> {
    forget();
    try {
      await onlineStore(until);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      isDenied(error);
    }
    return state;
  }

  return { publish, look };
}

/** Of whatever kind the refusal is: that the channel is gone must not read as if the product were. */
function notPublished({ message, details }: ConnectorError): ConnectorError {
  const words = `it could not be published to the Online Store, and is not put on sale without that: ${message}`;
  return new ConnectorError('rejected', words, { ...details, field: 'status' });
}
