import { transact } from '../../db/database.ts';
import { findStore, findStoreByIdentity, listPairsOfStore } from '../../db/readers/pairs.ts';
import { findWorkspace } from '../../db/readers/workspaces.ts';
import type { PairRow } from '../../db/schema/pair.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { enqueueJob } from '../../db/writers/jobs.ts';
import { deleteStore, insertStore, updateStore } from '../../db/writers/stores.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { StoreId, WorkspaceId } from '../../model/ids.ts';
import { JOB_PRIORITY } from '../../model/job.ts';
import { Refusal } from '../../model/refusal.ts';
import { type Finding, isShutOut } from '../../model/store-info.ts';
import type { EngineContext, StoreCredentials } from '../context.ts';
import { TASKS } from '../enqueue.ts';
import { noteFindings } from './check-store.ts';
import { examineStore, newWebhookSecret, secretOf } from './examine-store.ts';
import { noteStoreWorks, setStoreError } from './store-state.ts';
import { hasOtherUnits } from './store-units.ts';
import { webhookAddress } from './webhook-address.ts';
import { withoutRefuted } from './without-refuted.ts';

export interface ConnectStoreCommand {
  readonly workspaceId: WorkspaceId;
  readonly name: string;
  readonly credentials: StoreCredentials;
  readonly isSandbox?: boolean;
}

/**
 * Connects a store: examined at once, stored only when nothing stands in the way. Every finding comes back in plain words with
 * its remedy; errors are the refusal's details.
 */
export async function connectStore(
  ctx: EngineContext,
  command: ConnectStoreCommand,
): Promise<{ readonly store: StoreRow; readonly findings: readonly Finding[] }> {
  const { credentials, workspaceId } = command;
  const webhookSecret = secretOf(credentials) ?? newWebhookSecret(ctx.random);
  const { info, findings, address } = await examineStore(ctx, credentials, webhookSecret);
  const at = ctx.clock.now();
  const id = ctx.random.id('str_') as StoreId;
  const store: StoreRow = {
    id,
    workspaceId,
    platform: credentials.platform,
    name: command.name,
    address,
    identity: info.identity,
    credentials: ctx.cipher.seal(JSON.stringify(credentials), `store.credentials:${id}`),
    webhookSecret: ctx.cipher.seal(webhookSecret, `store.webhook_secret:${id}`),
    webhookSecretPrevious: null,
    status: 'connected',
    statusReason: null,
    info,
    findings,
    webhookSources: null,
    isSandbox: command.isSandbox ?? false,
    changedCursor: null,
    lastContactAt: at,
    webhooksCheckedAt: null,
    createdAt: at,
  };
  transact(ctx.db, (tx) => {
    // A slow store is looked at for a minute, and in a workspace that was deleted meanwhile nobody could see it, or take it away.
    if (findWorkspace(tx, workspaceId) === null)
      throw new Refusal('NOT_FOUND', 'This workspace was deleted while the store was being connected.');
    const known = findStoreByIdentity(tx, workspaceId, store.platform, store.identity);
    if (known !== null) {
      // By the name that it has in the list, which need not be what the shop calls itself.
      throw new Refusal(
        'STORE_ALREADY_CONNECTED',
        `This store is connected in this workspace already, as “${known.name}”. For new keys: Stores, New keys.`,
        {
          identity: info.identity,
        },
      );
    }
    insertStore(tx, store);
    enqueueWebhookCheck(tx, id, at);
    recordEvent(tx, {
      workspaceId,
      pairId: null,
      type: 'store_connected',
      payload: { storeId: id, name: store.name, platform: store.platform },
      at,
    });
  });
  return { store, findings };
}

export function enqueueWebhookCheck(
  tx: Parameters<Parameters<typeof transact>[1]>[0],
  storeId: StoreId,
  runAt: number,
): void {
  enqueueJob(tx, {
    key: `webhooks:${storeId}`,
    task: TASKS.ensureWebhooks,
    groupKey: storeId,
    payload: { storeId },
    priority: JOB_PRIORITY.request,
    runAt,
  });
}

/** The doctor again, on a store that is connected. */
export async function testStore(ctx: EngineContext, storeId: StoreId): Promise<readonly Finding[]> {
  const store = findStore(ctx.db, storeId);
  if (store === null) throw new Refusal('NOT_FOUND', 'There is no such store.');
  const looked = await ctx.connectors.forStore(store, null).inspect(undefined, webhookAddress(ctx, storeId));
  const { info } = looked;
  const findings = withoutRefuted(ctx, store, looked.findings);
  const barred = findings.find(isShutOut);
  transact(ctx.db, (tx) => {
    const at = ctx.clock.now();
    if (info === null) updateStore(tx, storeId, { findings });
    else noteFindings(ctx, tx, store, info, findings);
    // [A2] Only that pauses the work: a store that was looked at while it was away for a moment goes on as it was.
    if (barred !== undefined) setStoreError(ctx, tx, store, barred.message);
    enqueueWebhookCheck(tx, storeId, at);
  });
  if (info !== null && barred === undefined) noteStoreWorks(ctx, storeId);
  if (info !== null && hasOtherUnits(info, store.info)) ctx.connectors.forget(storeId);
  return findings;
}

/** Forgets a store that is in no pair, and takes its webhooks away as far as it still answers. */
export async function disconnectStore(ctx: EngineContext, storeId: StoreId): Promise<void> {
  const store = findStore(ctx.db, storeId);
  if (store === null) throw new Refusal('NOT_FOUND', 'There is no such store.');
  refusePaired(listPairsOfStore(ctx.db, storeId));
  const callback = webhookAddress(ctx, storeId);
  if (callback !== null) {
    try {
      await ctx.connectors.forStore(store, null).removeWebhooks(callback);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      ctx.log.warn(
        { storeId, kind: error.kind },
        'webhooks could not be removed from a store that is being disconnected',
      );
    }
  }
  const since = transact(ctx.db, (tx) => {
    const at = ctx.clock.now();
    const pairs = listPairsOfStore(tx, storeId);
    if (pairs.length > 0) {
      // Paired while its shop was asked: without its store that pair could not even be shown. It needs the webhooks again.
      enqueueWebhookCheck(tx, storeId, at);
      return pairs;
    }
    deleteStore(tx, storeId);
    recordEvent(tx, {
      workspaceId: store.workspaceId,
      pairId: null,
      type: 'store_disconnected',
      payload: { storeId, name: store.name },
      at,
    });
    return pairs;
  });
  refusePaired(since);
  ctx.connectors.forget(storeId);
}

function refusePaired(pairs: readonly PairRow[]): void {
  if (pairs.length === 0) return;
  throw new Refusal('STORE_IN_PAIR', 'This store is part of a pair. Delete the pair first.', {
    pairIds: pairs.map(({ id }) => id),
  });
}
