import { setImmediate } from 'node:timers/promises';
import {
  CountStockBody,
  CountStockReply,
  RecordQuery,
  RecordReply,
  RecordsQuery,
  RecordsReply,
} from '../../contracts/records.ts';
import { IdParams } from '../../contracts/shared.ts';
import { listVariantBindings } from '../../db/readers/hub-rows.ts';
import { listRecordChanges } from '../../db/readers/list-changes.ts';
import { listConflicts } from '../../db/readers/list-conflicts.ts';
import { findWorkspacePair } from '../../db/readers/list-pairs.ts';
import { listProblems } from '../../db/readers/list-problems.ts';
import { findWorkspaceRecord, listRecords } from '../../db/readers/list-records.ts';
import { countStates } from '../../db/readers/record-states.ts';
import { searchRecords } from '../../db/readers/search-records.ts';
import type { VariantId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import { found, invalidField } from '../app-error.ts';
import type { HttpDeps } from '../deps.ts';
import { createLanes } from '../lanes.ts';
import { caller } from '../plugins/authentication.ts';
import { presentConflict } from '../present/conflict.ts';
import { presentProblem } from '../present/problem.ts';
import { presentChange, presentHub, presentRecord, presentSide } from '../present/record.ts';
import type { Server } from '../types.ts';

/** Open conflicts and problems shown on one record's page. */
const SHOWN_MAX = 100;

export function recordRoutes(server: Server, deps: HttpDeps): void {
  const { db, engine, clock } = deps;
  /** A search looks at all of a shop: of a person, and of a workspace, one is under way at a time. */
  const [people, workspaces] = [createLanes(), createLanes()];

  server.get(
    '/api/records',
    { schema: { querystring: RecordsQuery, response: { 200: RecordsReply } } },
    async (request) => {
      const { user, workspace } = caller(request);
      const workspaceId = workspace.id;
      const search = () => searchRecords(db, workspaceId, { ...request.query, q }, setImmediate);
      const q = request.query.q?.trim() ?? '';
      if (q !== '' && request.query.sort === 'id')
        throw invalidField('sort', 'sort: what is searched for (q) comes newest change first, and not by id');
      const { rows, nextCursor, stateCounts } =
        q === ''
          ? {
              ...listRecords(db, workspaceId, request.query),
              stateCounts: countStates(db, workspaceId, request.query.pairId),
            }
          : await people.inLine(user.id, () => workspaces.inLine(workspaceId, search));
      return { records: rows.map(presentRecord), stateCounts, nextCursor };
    },
  );

  server.get(
    '/api/records/:id',
    { schema: { params: IdParams, querystring: RecordQuery, response: { 200: RecordReply } } },
    async (request) => {
      const workspaceId = caller(request).workspace.id;
      const row = found(findWorkspaceRecord(db, workspaceId, request.params.id), 'record');
      const { id, pairId } = row.product;
      const pair = findWorkspacePair(db, workspaceId, pairId);
      const variantBindings = listVariantBindings(db, id);
      const held = engine.heldBy(id);
      const side = (name: Side) =>
        presentSide(row, {
          ...{ side: name, variantBindings, held: held[name] },
          currency: pair?.[name].info?.currency ?? null,
        });
      const open = { recordId: id, state: 'open', limit: SHOWN_MAX } as const;
      const changes = listRecordChanges(db, id, request.query);
      return {
        record: {
          ...presentRecord(row.summary),
          currency: pair?.woocommerce.info?.currency ?? null,
          hub: presentHub(row),
          woocommerce: side('woocommerce'),
          shopify: side('shopify'),
          conflicts: listConflicts(db, workspaceId, open).rows.map(presentConflict),
          problems: listProblems(db, workspaceId, open).rows.map(presentProblem),
        },
        changes: changes.rows.map(presentChange),
        nextCursor: changes.nextCursor,
      };
    },
  );

  server.post(
    '/api/records/:id/count',
    { schema: { params: IdParams, body: CountStockBody, response: { 200: CountStockReply } } },
    async (request) => {
      const row = found(findWorkspaceRecord(db, caller(request).workspace.id, request.params.id), 'record');
      const { variantId, quantity, countedAt } = request.body;
      return engine.countStock({
        productId: row.product.id,
        variantId: variantId as VariantId,
        quantity,
        // By a person's clock, which goes with the wall's: what counts is how long ago that was.
        countedAt: countedAt === undefined ? null : timeOf(countedAt) - clock.wallNow() + clock.now(),
      });
    },
  );
}

function timeOf(countedAt: string): number {
  const at = Date.parse(countedAt);
  if (Number.isNaN(at)) throw invalidField('countedAt', 'countedAt is not a time: send it like 2026-01-31T08:30:00Z');
  return at;
}
