import { ProblemsQuery, ProblemsReply } from '../../contracts/problems.ts';
import { IdParams, Ok } from '../../contracts/shared.ts';
import { findWorkspaceProblem, listProblems } from '../../db/readers/list-problems.ts';
import { found } from '../app-error.ts';
import type { HttpDeps } from '../deps.ts';
import { caller } from '../plugins/authentication.ts';
import { presentProblem } from '../present/problem.ts';
import type { Server } from '../types.ts';

export function problemRoutes(server: Server, deps: HttpDeps): void {
  const { db, engine } = deps;

  server.get(
    '/api/problems',
    { schema: { querystring: ProblemsQuery, response: { 200: ProblemsReply } } },
    async (request) => {
      const filter = { ...request.query, state: request.query.state ?? ('open' as const) };
      const page = listProblems(db, caller(request).workspace.id, filter);
      return { problems: page.rows.map(presentProblem), total: page.total, nextCursor: page.nextCursor };
    },
  );

  server.post(
    '/api/problems/:id/retry',
    { schema: { params: IdParams, response: { 202: Ok } } },
    async (request, reply) => {
      const row = found(findWorkspaceProblem(db, caller(request).workspace.id, request.params.id), 'problem');
      await engine.retryProblem(row.problem.id);
      return reply.code(202).send({ ok: true as const });
    },
  );
}
