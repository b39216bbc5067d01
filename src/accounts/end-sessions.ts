import { transact } from '../db/database.ts';
import { listSessions } from '../db/readers/accounts.ts';
import { revokeSessionsOf } from '../db/writers/accounts.ts';
import { revokeSession } from '../db/writers/sessions.ts';
import { Refusal } from '../model/refusal.ts';
import { recordAudit } from './audit.ts';
import type { AccountsContext, Device } from './context.ts';
import { openSessionDevice, type SessionPrincipal } from './open-session.ts';

/** The devices on which the caller is signed in, the one used last first. */
export function describeSessions(ctx: AccountsContext, { user, session }: SessionPrincipal) {
  return listSessions(ctx.db, user.id, ctx.clock.now()).map((row) => ({
    row,
    device: openSessionDevice(ctx.vault, row),
    isCurrent: row.id === session.id,
  }));
}

/** Ends one session of the caller's own. Refuses with NOT_FOUND. */
export function endSession(ctx: AccountsContext, { user }: SessionPrincipal, id: string, device: Device): void {
  const now = ctx.clock.now();
  const isOwn = listSessions(ctx.db, user.id, now).some((row) => row.id === id);
  if (!isOwn) throw new Refusal('NOT_FOUND', 'You are not signed in there any more.');
  transact(ctx.db, (tx) => {
    revokeSession(tx, id, 'signed_out', now);
    const audit = { workspaceId: null, actorId: user.id, device, action: 'session.ended', target: id };
    recordAudit(ctx, tx, audit);
  });
}

/** Signs the caller out everywhere else. Says on how many devices. */
export function endOtherSessions(ctx: AccountsContext, { user, session }: SessionPrincipal, device: Device): number {
  return transact(ctx.db, (tx) => {
    const count = revokeSessionsOf(tx, user.id, session.id, 'signed_out', ctx.clock.now());
    const change = { count };
    recordAudit(ctx, tx, {
      ...{ workspaceId: null, actorId: user.id, device, change },
      action: 'session.others_ended',
      target: user.id,
    });
    return count;
  });
}
