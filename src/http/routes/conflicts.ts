import {
  ConflictReply,
  ConflictsQuery,
  ConflictsReply,
  ResolveConflictBody,
  ResolveConflictsBody,
  ResolveConflictsReply,
} from '../../contracts/conflicts.ts';
import { IdParams } from '../../contracts/shared.ts';
import { findWorkspaceConflict, listConflicts } from '../../db/readers/list-conflicts.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import { Refusal } from '../../model/refusal.ts';
import { AppError, found } from '../app-error.ts';
import { conflictChoice } from '../conflict-choice.ts';
import type { HttpDeps } from '../deps.ts';
import { deviceOf } from '../device.ts';
import { caller } from '../plugins/authentication.ts';
import { presentConflict } from '../present/conflict.ts';
import { resolveMany } from '../resolve-many.ts';
import type { Server } from '../types.ts';

export function conflictRoutes(server: Server, deps: HttpDeps): void {
  const { db, engine } = deps;
  const getRow = (workspaceId: WorkspaceId, id: string) =>
    found(findWorkspaceConflict(db, workspaceId, id), 'conflict');

  server.get(
    '/api/conflicts',
    { schema: { querystring: ConflictsQuery, response: { 200: ConflictsReply } } },
    async (request) => {
      const filter = { ...request.query, state: request.query.state ?? ('open' as const) };
      const page = listConflicts(db, caller(request).workspace.id, filter);
      return { conflicts: page.rows.map(presentConflict), total: page.total, nextCursor: page.nextCursor };
    },
  );

  server.get(
    '/api/conflicts/:id',
    { schema: { params: IdParams, response: { 200: ConflictReply } } },
    async (request) => ({ conflict: presentConflict(getRow(caller(request).workspace.id, request.params.id)) }),
  );

  server.post(
    '/api/conflicts/:id/resolution',
    { schema: { params: IdParams, body: ResolveConflictBody, response: { 200: ConflictReply } } },
    async (request) => {
      const workspaceId = caller(request).workspace.id;
      const { conflict } = getRow(workspaceId, request.params.id);
      const { expectedVersion } = request.body;
      const choice = conflictChoice(conflict, request.body);
      try {
        await engine.resolveConflict({ conflictId: conflict.id, expectedVersion, ...choice });
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'CONFLICT_MOVED') throw error;
        // The fresh card comes with the refusal, so that the person can choose again at once.
        const fresh = presentConflict(getRow(workspaceId, conflict.id));
        throw new AppError('CONFLICT_MOVED', error.message, { ...error.details, conflict: fresh });
      }
      return { conflict: presentConflict(getRow(workspaceId, conflict.id)) };
    },
  );

  server.post(
    '/api/conflicts/resolutions',
    { schema: { body: ResolveConflictsBody, response: { 200: ResolveConflictsReply } } },
    async (request) => {
      const by = { principal: caller(request), device: deviceOf(request) };
      return { results: await resolveMany(deps, by, request.body.choices) };
    },
  );
}
