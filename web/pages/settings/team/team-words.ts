import type { Member, WorkspaceRole } from '../../../api/team.ts';
import { whyNot } from '../../../hooks/rights.ts';
import { reaches } from '../../../hooks/roles.ts';

export const ROLE_TEXT: Readonly<Record<WorkspaceRole, string>> = {
  viewer: 'Sees everything and changes nothing.',
  member: 'Also runs syncs, resolves conflicts and enters counts.',
  admin: 'Also connects stores, changes pairs, and looks after the team.',
  owner: 'Also makes owners, and decides about the workspace itself.',
};

/** What each role may do, from what all may to what only owners may. */
export const RIGHTS: readonly { readonly what: string; readonly needed: WorkspaceRole }[] = [
  { what: 'See stores, records, plans, history and alerts', needed: 'viewer' },
  { what: 'Run syncs, apply plans, resolve conflicts, enter counts', needed: 'member' },
  { what: 'Connect stores; change pairs, alerts and webhooks', needed: 'admin' },
  { what: 'Invite people, change roles, read the audit log', needed: 'admin' },
  { what: 'Make owners, delete the workspace', needed: 'owner' },
];

export const LAST_OWNER = 'A workspace keeps an owner. Make somebody else an owner first.';
export const NOT_IN_DEMO = 'You are alone in the demo. Sign up to work with others.';

export interface Me {
  readonly role: WorkspaceRole;
  readonly isDemo: boolean;
}

/** Why somebody can not look after the team at all; null: they can. */
export function whyNotTeam({ role, isDemo }: Me, members: readonly Member[]): string | null {
  if (isDemo) return NOT_IN_DEMO;
  return whyNot(role, 'team', members);
}

/** Why this member's role can not be changed, nor the member removed; null: it can. */
export function whyNotMember(me: Me, member: Member, members: readonly Member[]): string | null {
  const why = whyNotTeam(me, members);
  if (why !== null) return why;
  if (!reaches(me.role, member.role)) return 'Only owners change what an owner may do.';
  const owners = members.filter(({ role }) => role === 'owner').length;
  return member.role === 'owner' && owners === 1 ? LAST_OWNER : null;
}

/** Why an invitation to this role can not be sent again; null: it can. */
export function whyNotResend({ role }: Me, invited: WorkspaceRole): string | null {
  return reaches(role, invited) ? null : 'Only owners invite owners.';
}

export interface LinkPlace {
  /** Null: it is not known yet. */
  readonly isMailSent: boolean | null;
  readonly isInstanceAdmin: boolean;
}

/** What becomes of an invitation's link where no mail goes out. */
export function linkWords({ isMailSent, isInstanceAdmin }: LinkPlace): string | null {
  if (isMailSent !== false) return null;
  return isInstanceAdmin
    ? 'This instance has no mail server: hand the link over yourself.'
    : 'This instance has no mail server. Its administrator finds the link in the outbox and hands it over.';
}
