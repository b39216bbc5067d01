import { type Tx, transact } from '../db/database.ts';
import type { AuditEntryRow } from '../db/schema/account.ts';
import type { UserRow } from '../db/schema/user.ts';
import { insertAuditEntry } from '../db/writers/accounts.ts';
import type { ApiTokenId, UserId, WorkspaceId } from '../model/ids.ts';
import type { AccountsContext, Device } from './context.ts';
import type { Principal } from './open-session.ts';
import type { Vault } from './vault.ts';

export interface AuditRecord {
  /** Null: about the instance or about a person. */
  readonly workspaceId: WorkspaceId | null;
  readonly actorId: UserId | null;
  readonly apiTokenId?: ApiTokenId | null;
  /** noun.verb, e.g. "member.role_changed". */
  readonly action: string;
  readonly target?: string | null;
  readonly device: Device | null;
  /** What changed. No secrets. */
  readonly change?: Readonly<Record<string, unknown>>;
}

export interface AuditDetails {
  readonly ip: string;
  readonly userAgent: string;
  readonly change: Readonly<Record<string, unknown>>;
}

/** Bound to what a row is about: a row's details do not open in another's place. */
function contextOf(row: Pick<AuditEntryRow, 'actorId' | 'action' | 'at'>): string {
  return `audit_entry.details:${row.actorId ?? ''}:${row.action}:${row.at}`;
}

export function recordAudit(ctx: Pick<AccountsContext, 'clock' | 'vault'>, tx: Tx, record: AuditRecord): void {
  const { workspaceId, actorId, action, device } = record;
  const row = { workspaceId, actorId, action, at: ctx.clock.now() };
  const details: AuditDetails = {
    ip: device?.ip ?? '',
    userAgent: device?.userAgent.slice(0, 300) ?? '',
    change: record.change ?? {},
  };
  insertAuditEntry(tx, {
    ...row,
    apiTokenId: record.apiTokenId ?? null,
    target: record.target ?? null,
    details: ctx.vault.seal(details, contextOf(row)),
  });
}

/** The parts of a record that a signed-in caller brings along. */
export function actedBy(principal: Principal, device: Device) {
  return {
    workspaceId: principal.workspace.id,
    actorId: principal.user.id,
    apiTokenId: principal.apiToken?.id ?? null,
    device,
  };
}

/** Null: its author's account was erased. */
export function openAuditDetails(vault: Vault, row: AuditEntryRow): AuditDetails | null {
  return row.details === null ? null : vault.open<AuditDetails>(row.details, contextOf(row));
}

/** Something that a caller did through a route of the API. */
export function auditRequest(
  ctx: Pick<AccountsContext, 'db' | 'clock' | 'vault'>,
  act: {
    readonly principal: Principal;
    readonly action: string;
    readonly target: string | null;
    readonly device: Device;
  },
): void {
  const { principal, action, target, device } = act;
  transact(ctx.db, (tx) => recordAudit(ctx, tx, { ...actedBy(principal, device), action, target }));
}

/** Something that a person did about the instance, or saw of it. */
export function recordAct(
  ctx: Pick<AccountsContext, 'db' | 'clock' | 'vault'>,
  { id: actorId }: Pick<UserRow, 'id'>,
  device: Device,
  act: Pick<AuditRecord, 'action' | 'target' | 'change'>,
): void {
  transact(ctx.db, (tx) => recordAudit(ctx, tx, { workspaceId: null, actorId, device, ...act }));
}
