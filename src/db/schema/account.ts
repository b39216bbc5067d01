import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { ApiTokenId, InvitationId, UserId, WorkspaceId } from '../../model/ids.ts';
import type { TokenScope, WorkspaceRole } from '../../model/role.ts';

/** A secret that was mailed to a person: good once, for a while. Kept by its SHA-256. */
export const mailedToken = sqliteTable(
  'mailed_token',
  {
    hash: text().primaryKey(),
    userId: text('user_id').$type<UserId>().notNull(),
    purpose: text().$type<'verify_email' | 'reset_password'>().notNull(),
    /** The address that it was mailed to, as the keyed hash it is compared by: a token proves that address and no other. */
    emailIndex: text('email_index').notNull(),
    /** Sealed; the new address while one is being changed. */
    email: text(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [index('mailed_token_user').on(t.userId, t.purpose), index('mailed_token_expires').on(t.expiresAt)],
);
export type MailedTokenRow = typeof mailedToken.$inferSelect;

/** Opens an account whose second factor is lost: good once. Kept by its SHA-256. */
export const recoveryCode = sqliteTable(
  'recovery_code',
  {
    hash: text().primaryKey(),
    userId: text('user_id').$type<UserId>().notNull(),
    usedAt: integer('used_at'),
  },
  (t) => [index('recovery_code_user').on(t.userId)],
);

/** Who signs in by an identity provider: a keyed hash of issuer and subject. */
export const externalIdentity = sqliteTable(
  'external_identity',
  {
    identityIndex: text('identity_index').primaryKey(),
    userId: text('user_id').$type<UserId>().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('external_identity_user').on(t.userId)],
);
export type ExternalIdentityRow = typeof externalIdentity.$inferSelect;

export const invitation = sqliteTable(
  'invitation',
  {
    id: text().$type<InvitationId>().primaryKey(),
    workspaceId: text('workspace_id').$type<WorkspaceId>().notNull(),
    /** Sealed. */
    email: text().notNull(),
    emailIndex: text('email_index').notNull(),
    role: text().$type<WorkspaceRole>().notNull(),
    tokenHash: text('token_hash').notNull(),
    invitedBy: text('invited_by').$type<UserId>().notNull(),
    /** Whether who has no account yet may create one with it. */
    mayCreateAccount: integer('may_create_account', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [
    uniqueIndex('invitation_token').on(t.tokenHash),
    uniqueIndex('invitation_email').on(t.workspaceId, t.emailIndex),
    index('invitation_expires').on(t.expiresAt),
  ],
);
export type InvitationRow = typeof invitation.$inferSelect;

/** A program's key to one workspace. It can never do more than the person who made it can now. */
export const apiToken = sqliteTable(
  'api_token',
  {
    id: text().$type<ApiTokenId>().primaryKey(),
    workspaceId: text('workspace_id').$type<WorkspaceId>().notNull(),
    userId: text('user_id').$type<UserId>().notNull(),
    name: text().notNull(),
    /** SHA-256 of the token, which is shown once. */
    hash: text().notNull(),
    /** Its last four characters, by which its owner tells it from others. */
    hint: text().notNull(),
    scope: text().$type<TokenScope>().notNull(),
    createdAt: integer('created_at').notNull(),
    /** Null: until it is revoked. */
    expiresAt: integer('expires_at'),
    lastUsedAt: integer('last_used_at'),
  },
  (t) => [
    uniqueIndex('api_token_hash').on(t.hash),
    index('api_token_workspace').on(t.workspaceId),
    index('api_token_user').on(t.userId),
  ],
);
export type ApiTokenRow = typeof apiToken.$inferSelect;

/** Who did what. Rows are added and, with their workspace, dropped; nothing changes one but the erasure of its author's traces. */
export const auditEntry = sqliteTable(
  'audit_entry',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    /** Null: about the instance or about a person. */
    workspaceId: text('workspace_id').$type<WorkspaceId>(),
    /** Null: nobody was signed in. */
    actorId: text('actor_id').$type<UserId>(),
    /** The API token that was used; null: a person in a browser. */
    apiTokenId: text('api_token_id').$type<ApiTokenId>(),
    /** noun.verb, e.g. "member.role_changed". */
    action: text().notNull(),
    /** Id of what it was done to. */
    target: text(),
    /** Sealed JSON: address and browser of the actor, and what changed. Null after the actor's account was erased. */
    details: text(),
    at: integer().notNull(),
  },
  (t) => [index('audit_workspace').on(t.workspaceId, t.seq), index('audit_actor').on(t.actorId, t.seq)],
);
export type AuditEntryRow = typeof auditEntry.$inferSelect;

/** Emails on their way. Without SMTP they stay here for the instance's owner to read. */
export const outboxMail = sqliteTable(
  'outbox_mail',
  {
    id: text().primaryKey(),
    kind: text().notNull(),
    /** Sealed JSON: recipient, subject, text, HTML. The message of a sent mail is dropped: it may carry a link that opens an account. */
    mail: text().notNull(),
    /** The recipient's address as a keyed hash: what is theirs is found without opening every email. */
    recipientIndex: text('recipient_index').notNull(),
    /** `held`: there is no SMTP server. */
    state: text().$type<'held' | 'queued' | 'sent' | 'failed'>().notNull(),
    attempts: integer().notNull(),
    lastError: text('last_error'),
    createdAt: integer('created_at').notNull(),
    sentAt: integer('sent_at'),
  },
  (t) => [
    index('outbox_created').on(t.createdAt),
    index('outbox_state').on(t.state, t.createdAt),
    index('outbox_recipient').on(t.recipientIndex),
  ],
);
export type OutboxMailRow = typeof outboxMail.$inferSelect;

/** Answers to requests that carried an Idempotency-Key, for a day. */
export const idempotentReply = sqliteTable(
  'idempotent_reply',
  {
    /** SHA-256 of caller, route and key. */
    id: text().primaryKey(),
    workspaceId: text('workspace_id').$type<WorkspaceId>().notNull(),
    /** Keyed hash of the request: the same key for another request is a mistake of the caller. */
    fingerprint: text().notNull(),
    /** Null while the first request is at work. */
    status: integer(),
    /** Sealed. */
    body: text(),
    /** What it takes of the file, about. */
    bytes: integer().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('idempotent_reply_created').on(t.createdAt),
    index('idempotent_reply_workspace').on(t.workspaceId, t.createdAt, t.bytes),
  ],
);
export type IdempotentReplyRow = typeof idempotentReply.$inferSelect;
