import { ConnectorError } from '../../model/connector-error.ts';
import type { Log } from '../../ports/log.ts';
import type { ShopifyClient } from './client.ts';
import { OPERATIONS } from './operations.gen.ts';
import { firstUserError } from './user-errors.ts';
import { PublicationsAnswer, PublishAnswer } from './wire.ts';

/**
 * ACTIVE is not visible: a product is in the online store only once it is published there. Where that is not allowed or not possible the product is
 * still a good product, so the write stands and `state()` tells the doctor. Where nobody knows whether it happened, the write is an unknown outcome
 * [C8], and the product is owed a publication: the next batch of writes makes up for it.
 */
export interface Publisher {
  publish(productId: string, signal?: AbortSignal): Promise<void>;
  /** Publishes what an earlier fault left unpublished. Never throws a ConnectorError. */
  settleDebts(signal?: AbortSignal): Promise<void>;
  /** 'no_permission' and 'no_online_store' once it was tried. */
  state(): 'unknown' | 'ready' | 'no_permission' | 'no_online_store';
}

const RETRY_AFTER_MS = 10 * 60_000;
const DEBTS_MAX = 1_000;
const DEBTS_PER_BATCH = 5;

export function createPublisher(client: ShopifyClient, clock: { now(): number }, log: Log): Publisher {
  let state: ReturnType<Publisher['state']> = 'unknown';
  let publicationId: string | null = null;
  let triedAt = Number.NEGATIVE_INFINITY;
  /** Publishing twice is harmless, so it doesn't matter which of these got through after all. */
  const owed = new Set<string>();

  async function onlineStore(signal: AbortSignal | undefined): Promise<string | null> {
    if (publicationId !== null) return publicationId;
    if (state !== 'unknown' && clock.now() - triedAt < RETRY_AFTER_MS) return null;
    triedAt = clock.now();
    const { publications } = await client.call(OPERATIONS.publications, {}, PublicationsAnswer, { signal });
    const found = publications.nodes.find(
      ({ catalog }) =>
        catalog?.apps?.nodes.some((app) => app.handle === 'online_store') === true || catalog?.title === 'Online Store',
    );
    publicationId = found?.id ?? null;
    state = publicationId === null ? 'no_online_store' : 'ready';
    return publicationId;
  }

  async function attempt(productId: string, signal: AbortSignal | undefined): Promise<void> {
    const id = await onlineStore(signal);
    if (id === null) return;
    const variables = { id: productId, input: [{ publicationId: id }] };
    const answer = await client.call(OPERATIONS.publish, variables, PublishAnswer, { signal });
    const error = firstUserError(answer.publishablePublish.userErrors);
    if (error !== null) throw error;
  }

  async function publish(productId: string, signal?: AbortSignal): Promise<void> {
    try {
      await attempt(productId, signal);
      owed.delete(productId);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      owed.delete(productId);
      if (error.kind === 'unauthorized' && error.details.platformCode === 'ACCESS_DENIED') {
        state = 'no_permission';
        publicationId = null;
      } else if (error.kind !== 'rejected' && error.kind !== 'not_found') {
        if (owed.size < DEBTS_MAX) owed.add(productId);
        throw new ConnectorError(
          'unknown_outcome',
          `the product was written but may not be published: ${error.message}`,
          error.details,
        );
      }
      log.warn({ productId, kind: error.kind }, 'a product could not be published to the online store');
    }
  }

  return {
    state: () => state,
    publish,
    async settleDebts(signal) {
      for (const productId of [...owed].slice(0, DEBTS_PER_BATCH)) {
        try {
          await publish(productId, signal);
        } catch (error) {
          if (!(error instanceof ConnectorError)) throw error;
          return; // still owed
        }
      }
    },
  };
}
