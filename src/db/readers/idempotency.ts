import { eq } from 'drizzle-orm';
import type { WorkspaceId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { type IdempotentReplyRow, idempotentReply } from '../schema/account.ts';

export function findIdempotentReply(db: Db, id: string): IdempotentReplyRow | null {
  return db.query.select().from(idempotentReply).where(eq(idempotentReply.id, id)).get() ?? null;
}

/** `firstAt`, ms, is of the oldest; 0 where there are none. */
interface RepliesSum {
  readonly keys: number;
  readonly bytes: number;
  readonly firstAt: number;
}

const SUM = 'count(*) AS keys, ifnull(sum(bytes), 0) AS bytes, ifnull(min(created_at), 0) AS firstAt';

/** An index answers it: the rows themselves are many and large. */
const ofWorkspace = rawStatement<[workspace: string, since: number], RepliesSum>(
  `SELECT ${SUM} FROM idempotent_reply WHERE workspace_id = ? AND created_at > ?`,
);

const ofAll = rawStatement<[], RepliesSum>(`SELECT ${SUM} FROM idempotent_reply`);

const NONE: RepliesSum = { keys: 0, bytes: 0, firstAt: 0 };

/** What a workspace has kept later than `sinceMs`: its keys, and what they and their answers take. */
export function sumRepliesOf(db: Db, workspaceId: WorkspaceId, sinceMs: number): RepliesSum {
  return ofWorkspace(db).get(workspaceId, sinceMs) ?? NONE;
}

/** What all workspaces have kept. */
export function sumReplies(db: Db): RepliesSum {
  return ofAll(db).get() ?? NONE;
}
