import { and, count, desc, eq, or, sql } from 'drizzle-orm';
import type { ProblemId, ProductId, StoreId, WorkspaceId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { type ProblemRow, problem } from '../schema/history.ts';
import { product } from '../schema/product.ts';
import { beforePlace, contains, limitOf, type Page, type PageRequest, placeOf, toPage } from './page.ts';

export interface ProblemListRow {
  readonly problem: ProblemRow;
  readonly recordTitle: string | null;
}

export interface ProblemFilter extends PageRequest {
  readonly pairId?: string | undefined;
  readonly storeId?: string | undefined;
  readonly recordId?: string | undefined;
  readonly state?: ProblemRow['state'] | undefined;
  readonly level?: ProblemRow['level'] | undefined;
  readonly code?: string | undefined;
  readonly q?: string | undefined;
}

function select(db: Db) {
  return db.query
    .select({ problem, recordTitle: product.title })
    .from(problem)
    .leftJoin(product, eq(product.id, problem.productId));
}

/** What happened last comes first. */
export function listProblems(
  db: Db,
  workspaceId: WorkspaceId,
  filter: ProblemFilter,
): Page<ProblemListRow> & { readonly total: number } {
  const limit = limitOf(filter);
  const q = filter.q?.trim() ?? '';
  const where = and(
    eq(problem.workspaceId, workspaceId),
    // The plus: in the order of the workspace's index, which knows the pair, instead of all of a pair's read and sorted.
    filter.pairId === undefined ? undefined : sql`+${problem.pairId} = ${filter.pairId}`,
    filter.storeId === undefined ? undefined : eq(problem.storeId, filter.storeId as StoreId),
    filter.recordId === undefined ? undefined : eq(problem.productId, filter.recordId as ProductId),
    filter.state === undefined ? undefined : eq(problem.state, filter.state),
    filter.level === undefined ? undefined : eq(problem.level, filter.level),
    filter.code === undefined ? undefined : eq(problem.code, filter.code),
    q === '' ? undefined : or(contains(product.title, q), contains(problem.message, q), contains(problem.subject, q)),
  );
  const total =
    db.query
      .select({ n: count() })
      .from(problem)
      .leftJoin(product, eq(product.id, problem.productId))
      .where(where)
      .get()?.n ?? 0;
  const rows = select(db)
    .where(and(where, beforePlace(problem.lastAt, problem.id, placeOf(filter, 2))))
    .orderBy(desc(problem.lastAt), desc(problem.id))
    .limit(limit + 1)
    .all();
  return { ...toPage(rows, limit, (row) => [row.problem.lastAt, row.problem.id]), total };
}

/** Null also for a problem of another workspace. */
export function findWorkspaceProblem(db: Db, workspaceId: WorkspaceId, id: string): ProblemListRow | null {
  return (
    select(db)
      .where(and(eq(problem.workspaceId, workspaceId), eq(problem.id, id as ProblemId)))
      .get() ?? null
  );
}
