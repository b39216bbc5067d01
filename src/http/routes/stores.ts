import { setWebhookSources } from '../../accounts/webhook-sources.ts';
import { IdParams, Ok } from '../../contracts/shared.ts';
import {
  ConnectStoreBody,
  ConnectStoreReply,
  ListStoresQuery,
  MoveStoreBody,
  RenewKeysBody,
  StoreReply,
  StoreStatsReply,
  StoresReply,
  TestStoreReply,
  UpdateStoreBody,
  UpdateStoreReply,
} from '../../contracts/stores.ts';
import type { Db } from '../../db/database.ts';
import { findWorkspaceStore, listWorkspaceStores, readStoreStats } from '../../db/readers/list-stores.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import { nameAddressFault } from '../address-fault.ts';
import { AppError, found } from '../app-error.ts';
import { credentialsOf, keysOf, moveOf } from '../connect-form.ts';
import type { HttpDeps } from '../deps.ts';
import { givenName } from '../given-name.ts';
import { misplacedIn } from '../pair-form.ts';
import { caller } from '../plugins/authentication.ts';
import { STRICT_LIMITS } from '../plugins/rate-limits.ts';
import { isoTimeOrNull, presentHealth, presentStore, totalProducts } from '../present/store.ts';
import { storeContact } from '../store-contact.ts';
import type { Server } from '../types.ts';

/** Of one workspace: as many as the pages of the dashboard show. */
const STORES_MAX = 200;

export function storeRoutes(server: Server, deps: HttpDeps): void {
  const { db, engine } = deps;
  const getRow = (workspaceId: WorkspaceId, id: string) => found(findWorkspaceStore(db, workspaceId, id), 'store');
  /** By workspace, how many are being looked at, which takes a while: they are counted, or many sent at once would pass the limit. */
  const connecting = new Map<WorkspaceId, number>();
  const present = (row: ReturnType<typeof getRow>) => presentStore(row, storeContact(deps, row.store.id));

  server.get(
    '/api/stores',
    { schema: { querystring: ListStoresQuery, response: { 200: StoresReply } } },
    async (request) => {
      const page = listWorkspaceStores(db, caller(request).workspace.id, request.query);
      return { stores: page.rows.map(present), total: page.total, nextCursor: page.nextCursor };
    },
  );

  server.post(
    '/api/stores/connect',
    { schema: { body: ConnectStoreBody, response: { 201: ConnectStoreReply } }, config: STRICT_LIMITS.connect },
    async (request, reply) => {
      const workspaceId = caller(request).workspace.id;
      const { name, credentials } = credentialsOf(request.body);
      const { platform } = credentials;
      const others = connecting.get(workspaceId) ?? 0;
      refuseMore(db, workspaceId, others);
      connecting.set(workspaceId, others + 1);
      const work = engine.connectStore({ workspaceId, name, platform, credentials }).finally(() => {
        const left = (connecting.get(workspaceId) ?? 1) - 1;
        if (left > 0) connecting.set(workspaceId, left);
        else connecting.delete(workspaceId);
      });
      const { store, findings } = await namingAddress(work, platform);
      return reply.code(201).send({ store: present(getRow(workspaceId, store.id)), findings: [...findings] });
    },
  );

  server.get('/api/stores/:id', { schema: { params: IdParams, response: { 200: StoreReply } } }, async (request) => ({
    store: present(getRow(caller(request).workspace.id, request.params.id)),
  }));

  server.patch(
    '/api/stores/:id',
    { schema: { params: IdParams, body: UpdateStoreBody, response: { 200: UpdateStoreReply } } },
    async (request) => {
      const workspaceId = caller(request).workspace.id;
      const { store, pairIds } = getRow(workspaceId, request.params.id);
      const { webhookSources } = request.body;
      const name = request.body.name === undefined ? undefined : givenName(request.body.name);
      // First what can be refused: of a change that is, nothing is done.
      if (webhookSources !== undefined) setWebhookSources(deps.accounts, store.id, webhookSources);
      if (name !== undefined) engine.renameStore(store.id, name);
      const notices = misplacedIn(request.body, pairIds);
      return { store: present(getRow(workspaceId, store.id)), notices };
    },
  );

  server.delete('/api/stores/:id', { schema: { params: IdParams, response: { 200: Ok } } }, async (request) => {
    const { store } = getRow(caller(request).workspace.id, request.params.id);
    await engine.disconnectStore(store.id);
    return { ok: true as const };
  });

  server.post(
    '/api/stores/:id/test-connection',
    { schema: { params: IdParams, response: { 200: TestStoreReply } }, config: STRICT_LIMITS.connect },
    async (request) => {
      const workspaceId = caller(request).workspace.id;
      const { store } = getRow(workspaceId, request.params.id);
      const findings = await engine.testStore(store.id);
      return {
        store: present(getRow(workspaceId, store.id)),
        findings: [...findings],
        isOk: findings.every((finding) => finding.level !== 'error'),
      };
    },
  );

  server.post(
    '/api/stores/:id/keys',
    {
      schema: { params: IdParams, body: RenewKeysBody, response: { 200: ConnectStoreReply } },
      config: STRICT_LIMITS.connect,
    },
    async (request) => {
      const workspaceId = caller(request).workspace.id;
      const { store } = getRow(workspaceId, request.params.id);
      refuseSandbox(store);
      const findings = await engine.renewCredentials(store.id, keysOf(store, request.body));
      return { store: present(getRow(workspaceId, store.id)), findings: [...findings] };
    },
  );

  server.post(
    '/api/stores/:id/move',
    {
      schema: { params: IdParams, body: MoveStoreBody, response: { 200: ConnectStoreReply } },
      config: STRICT_LIMITS.connect,
    },
    async (request) => {
      const workspaceId = caller(request).workspace.id;
      const { store } = getRow(workspaceId, request.params.id);
      refuseSandbox(store);
      const move = moveOf(store, request.body);
      const findings = await namingAddress(engine.moveStore({ storeId: store.id, ...move }), store.platform);
      return { store: present(getRow(workspaceId, store.id)), findings: [...findings] };
    },
  );

  server.post(
    '/api/stores/:id/rotate-webhook-secret',
    { schema: { params: IdParams, response: { 200: StoreReply } } },
    async (request) => {
      const workspaceId = caller(request).workspace.id;
      const { store } = getRow(workspaceId, request.params.id);
      engine.rotateWebhookSecret(store.id);
      return { store: present(getRow(workspaceId, store.id)) };
    },
  );

  server.get(
    '/api/stores/:id/stats',
    { schema: { params: IdParams, response: { 200: StoreStatsReply } } },
    async (request) => {
      const row = getRow(caller(request).workspace.id, request.params.id);
      const since = deps.clock.now() - DAY_MS;
      const stats = readStoreStats(db, row, since);
      return {
        stats: {
          totalProducts: totalProducts(row),
          totalOrders: null,
          linkedProducts: row.linkedCount,
          lastSync: isoTimeOrNull(row.lastSyncAt),
          openProblems: stats.openProblems,
          openConflicts: stats.openConflicts,
          deliveriesToday: stats.deliveries,
          changesToday: stats.changes,
          health: presentHealth(row.store, storeContact(deps, row.store.id)),
        },
      };
    },
  );
}

function refuseMore(db: Db, workspaceId: WorkspaceId, connecting: number): void {
  if (listWorkspaceStores(db, workspaceId, { limit: 1 }).total + connecting < STORES_MAX) return;
  throw new AppError('LIMIT_REACHED', `A workspace has at most ${STORES_MAX} stores. Disconnect one first.`);
}

/** It would be a real shop then, and go with the demo data all the same. */
function refuseSandbox({ isSandbox, name }: StoreRow): void {
  if (isSandbox)
    throw new AppError('SANDBOX_STORE', `${name} is a sandbox store: its address and keys are the server's.`);
}

async function namingAddress<T>(work: Promise<T>, platform: ConnectStoreBody['platform']): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw nameAddressFault(error, platform);
  }
}
