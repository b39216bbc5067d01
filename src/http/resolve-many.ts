import { setImmediate as nextTurn } from 'node:timers/promises';
import { auditRequest } from '../accounts/audit.ts';
import type { Device } from '../accounts/context.ts';
import type { Principal } from '../accounts/open-session.ts';
import type { ResolveConflictsBody, ResolveConflictsReply } from '../contracts/conflicts.ts';
import { findWorkspaceConflict } from '../db/readers/list-conflicts.ts';
import { Refusal } from '../model/refusal.ts';
import { AppError, found } from './app-error.ts';
import { conflictChoice } from './conflict-choice.ts';
import type { HttpDeps } from './deps.ts';

type Choice = ResolveConflictsBody['choices'][number];
type Result = ResolveConflictsReply['results'][number];

/** So many in one turn of the event loop: each is a transaction, and webhooks are to be answered meanwhile. */
const PORTION = 5;

/**
 * Each choice for itself, in order: one that is refused holds up no other. What is no refusal (a full disk, a bug) ends the request; what was done
 * until then is done and in the audit log, and sent again it is answered as resolved already.
 */
export async function resolveMany(
  deps: Pick<HttpDeps, 'db' | 'engine' | 'accounts'>,
  by: { readonly principal: Principal; readonly device: Device },
  choices: readonly Choice[],
): Promise<Result[]> {
  const results: Result[] = [];
  for (const choice of choices) {
    if (results.length > 0 && results.length % PORTION === 0) await nextTurn();
    results.push(await resolveOne(deps, by, choice));
  }
  return results;
}

async function resolveOne(
  { db, engine, accounts }: Pick<HttpDeps, 'db' | 'engine' | 'accounts'>,
  { principal, device }: { readonly principal: Principal; readonly device: Device },
  { conflictId, version, choice }: Choice,
): Promise<Result> {
  try {
    const { conflict } = found(findWorkspaceConflict(db, principal.workspace.id, conflictId), 'conflict');
    const command = { conflictId: conflict.id, expectedVersion: version };
    await engine.resolveConflict({ ...command, ...conflictChoice(conflict, { choice }) });
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof AppError)) throw error;
    return { conflictId, outcome: 'refused', code: error.code, message: error.message };
  }
  auditRequest(accounts, { principal, action: 'conflict.settled', target: conflictId, device });
  return { conflictId, outcome: 'done', code: null, message: null };
}
