import { ApplyPlanBody, PlanQuery, PlanReply, PlanWithItemsReply } from '../../contracts/plans.ts';
import { IdParams, PAGE_LIMIT_MAX } from '../../contracts/shared.ts';
import { RunReply } from '../../contracts/sync.ts';
import { findWorkspaceRun } from '../../db/readers/list-runs.ts';
import { findWorkspacePlan, listPlanItems } from '../../db/readers/view-plan.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import { runPresenter, sideNames } from '../activity-names.ts';
import { found } from '../app-error.ts';
import type { HttpDeps } from '../deps.ts';
import { caller } from '../plugins/authentication.ts';
import { presentPlan, presentPlanItem } from '../present/plan.ts';
import type { Server } from '../types.ts';

export function planRoutes(server: Server, deps: HttpDeps): void {
  const { db, engine } = deps;
  const getView = (workspaceId: WorkspaceId, id: string) => found(findWorkspacePlan(db, workspaceId, id), 'plan');

  server.get(
    '/api/plans/:id',
    { schema: { params: IdParams, querystring: PlanQuery, response: { 200: PlanWithItemsReply } } },
    async (request) => {
      const view = getView(caller(request).workspace.id, request.params.id);
      const items = listPlanItems(db, view.plan.id, { limit: PAGE_LIMIT_MAX, ...request.query });
      return {
        plan: {
          ...presentPlan(view, sideNames(db, view.plan.pairId)),
          items: items.rows.map(presentPlanItem),
          itemCount: items.total,
          actionCounts: items.byAction,
          nextCursor: items.nextCursor,
        },
      };
    },
  );

  server.post(
    '/api/plans/:id/apply',
    { schema: { params: IdParams, body: ApplyPlanBody, response: { 202: RunReply } } },
    async (request, reply) => {
      const workspaceId = caller(request).workspace.id;
      const { plan } = getView(workspaceId, request.params.id);
      const run = await engine.applyPlan(plan.id, request.body.hash);
      const row = found(findWorkspaceRun(db, workspaceId, run.id), 'run');
      return reply.code(202).send({ run: runPresenter(db)(row) });
    },
  );

  server.post(
    '/api/plans/:id/discard',
    { schema: { params: IdParams, response: { 200: PlanReply } } },
    async (request) => {
      const workspaceId = caller(request).workspace.id;
      const { plan } = getView(workspaceId, request.params.id);
      await engine.discardPlan(plan.id);
      return { plan: presentPlan(getView(workspaceId, plan.id), sideNames(db, plan.pairId)) };
    },
  );
}
