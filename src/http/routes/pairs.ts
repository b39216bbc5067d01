import { CreatePairBody, PairReply, PairSettingsBody, PairsReply } from '../../contracts/pairs.ts';
import { PlanReply } from '../../contracts/plans.ts';
import { IdParams, Ok } from '../../contracts/shared.ts';
import { findWorkspacePair, listWorkspacePairs, type PairListRow } from '../../db/readers/list-pairs.ts';
import { findWorkspaceStore, listWorkspaceStores } from '../../db/readers/list-stores.ts';
import { countStates } from '../../db/readers/record-states.ts';
import { findWorkspacePlan } from '../../db/readers/view-plan.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import { sideNames } from '../activity-names.ts';
import { AppError, found, invalidField } from '../app-error.ts';
import type { HttpDeps } from '../deps.ts';
import { settingsOf } from '../pair-form.ts';
import { caller } from '../plugins/authentication.ts';
import { presentPair } from '../present/pair.ts';
import { presentPlan } from '../present/plan.ts';
import { storeContact } from '../store-contact.ts';
import type { Server } from '../types.ts';

const STORES_LOOKED_AT_MAX = 200;

export function pairRoutes(server: Server, deps: HttpDeps): void {
  const { db, engine } = deps;
  const getRow = (workspaceId: WorkspaceId, id: string) => found(findWorkspacePair(db, workspaceId, id), 'pair');

  const present = (row: PairListRow) =>
    presentPair(row, countStates(db, row.pair.workspaceId, row.pair.id), (storeId) => storeContact(deps, storeId));

  function storeOf(workspaceId: WorkspaceId, id: string, side: Side) {
    const { store } = found(findWorkspaceStore(db, workspaceId, id), 'store', `${side}StoreId`);
    if (store.platform !== side) {
      throw invalidField(`${side}StoreId`, `${side}StoreId: ${store.name} is a store of the other platform`);
    }
    return store;
  }

  server.get('/api/pairs', { schema: { response: { 200: PairsReply } } }, async (request) => {
    const workspaceId = caller(request).workspace.id;
    return {
      pairs: listWorkspacePairs(db, workspaceId).map(present),
      suggestions: suggestPairs(deps, workspaceId),
    };
  });

  server.post(
    '/api/pairs',
    { schema: { body: CreatePairBody, response: { 201: PairReply } } },
    async (request, reply) => {
      const workspaceId = caller(request).workspace.id;
      const { settings, notices } = settingsOf(request.body);
      const woocommerce = storeOf(workspaceId, request.body.woocommerceStoreId, 'woocommerce');
      const shopify = storeOf(workspaceId, request.body.shopifyStoreId, 'shopify');
      refuseMixed(woocommerce, shopify);
      const pair = await engine.createPair({
        workspaceId,
        woocommerceStoreId: woocommerce.id,
        shopifyStoreId: shopify.id,
        settings,
      });
      return reply.code(201).send({ pair: present(getRow(workspaceId, pair.id)), notices });
    },
  );

  server.get('/api/pairs/:id', { schema: { params: IdParams, response: { 200: PairReply } } }, async (request) => ({
    pair: present(getRow(caller(request).workspace.id, request.params.id)),
    notices: [],
  }));

  server.patch(
    '/api/pairs/:id',
    { schema: { params: IdParams, body: PairSettingsBody, response: { 200: PairReply } } },
    async (request) => {
      const workspaceId = caller(request).workspace.id;
      const { pair } = getRow(workspaceId, request.params.id);
      const { settings, notices } = settingsOf(request.body);
      await engine.updatePairSettings(pair.id, settings);
      return { pair: present(getRow(workspaceId, pair.id)), notices };
    },
  );

  server.delete('/api/pairs/:id', { schema: { params: IdParams, response: { 200: Ok } } }, async (request) => {
    await engine.deletePair(getRow(caller(request).workspace.id, request.params.id).pair.id);
    return { ok: true as const };
  });

  for (const action of ['pause', 'resume'] as const) {
    server.post(
      `/api/pairs/:id/${action}`,
      { schema: { params: IdParams, response: { 200: PairReply } } },
      async (request) => {
        const workspaceId = caller(request).workspace.id;
        const { pair } = getRow(workspaceId, (request.params as { id: string }).id);
        await (action === 'pause' ? engine.pausePair(pair.id) : engine.resumePair(pair.id));
        return { pair: present(getRow(workspaceId, pair.id)), notices: [] };
      },
    );
  }

  server.post(
    '/api/pairs/:id/plan',
    { schema: { params: IdParams, response: { 202: PlanReply } } },
    async (request, reply) => {
      const workspaceId = caller(request).workspace.id;
      const { pair } = getRow(workspaceId, request.params.id);
      const plan = await engine.requestPlan(pair.id);
      const view = found(findWorkspacePlan(db, workspaceId, plan.id), 'plan');
      return reply.code(202).send({ plan: presentPlan(view, sideNames(db, pair.id)) });
    },
  );
}

/** What was made up would be written to a real shop, and goes when the sandbox does. */
function refuseMixed(a: StoreRow, b: StoreRow): void {
  if (a.isSandbox === b.isSandbox) return;
  const sandbox = a.isSandbox ? a : b;
  throw new AppError('SANDBOX_STORE', `${sandbox.name} is a sandbox store: it can be paired with another one only.`);
}

/** By order, as the specification has it: the nth WooCommerce store without a partner belongs to the nth Shopify store without one. Sandbox stores are among themselves. */
function suggestPairs(deps: HttpDeps, workspaceId: WorkspaceId) {
  const { rows } = listWorkspaceStores(deps.db, workspaceId, { limit: STORES_LOOKED_AT_MAX });
  return [false, true].flatMap((isSandbox) => {
    const lonely = (side: Side) =>
      rows
        .filter(
          ({ store, pairIds }) => store.platform === side && store.isSandbox === isSandbox && pairIds.length === 0,
        )
        .map(({ store }) => store.id);
    const woocommerce = lonely('woocommerce');
    const shopify = lonely('shopify');
    return Array.from({ length: Math.max(woocommerce.length, shopify.length) }, (_, n) => ({
      woocommerceStoreId: woocommerce[n] ?? null,
      shopifyStoreId: shopify[n] ?? null,
    }));
  });
}
