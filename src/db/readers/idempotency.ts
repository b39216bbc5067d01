import { desc, eq } from 'drizzle-orm';
import type { WorkspaceId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { type IdempotentReplyRow, idempotentReply } from '../schema/account.ts';

export function findIdempotentReply(db: Db, id: string): IdempotentReplyRow | null {
  return db.query.select().from(idempotentReply).where(eq(idempotentReply.id, id)).get() ?? null;
}

/** When the `nth` newest key of a workspace was first used, counted from 1; null: it has fewer. */
export function readKeyTime(db: Db, workspaceId: WorkspaceId, nth: number): number | null {
  const { createdAt } = idempotentReply;
  const ofWorkspace = eq(idempotentReply.workspaceId, workspaceId);
  const newest = db.query.select({ createdAt }).from(idempotentReply).where(ofWorkspace).orderBy(desc(createdAt));
  return (
    newest
      .limit(1)
      .offset(nth - 1)
      .get()?.createdAt ?? null
  );
}
