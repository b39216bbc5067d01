import { type Static, Type } from 'typebox';
import { TOKEN_SCOPES, WORKSPACE_ROLES } from '../model/role.ts';
import { Notifications, USER_ROLES, User } from './auth.ts';
import { Count, Id, IsoTime, NextCursor, nullable, PageQuery } from './shared.ts';

const Name = Type.String({ minLength: 1, maxLength: 100 });
const Text = Type.String({ maxLength: 1000 });
const Role = Type.Enum(WORKSPACE_ROLES);

/** What is left out stays as it is. */
export const UserSettingsBody = Type.Object({
  firstName: Type.Optional(Type.String({ maxLength: 100 })),
  lastName: Type.Optional(Type.String({ maxLength: 100 })),
  email: Type.Optional(Type.String({ maxLength: 254 })),
  company: Type.Optional(Type.String({ maxLength: 100 })),
  timezone: Type.Optional(Type.String({ maxLength: 64 })),
  notifications: Type.Optional(Type.Partial(Notifications)),
  subscribeToNewsletter: Type.Optional(Type.Boolean()),
});

/** `isEmailPending`: a link was mailed to the new address; until it is followed the old one stays. */
export const UserSettingsReply = Type.Object({ user: User, isEmailPending: Type.Boolean() });

export const ChangePasswordBody = Type.Object({
  currentPassword: Text,
  newPassword: Text,
  confirmPassword: Type.Optional(Text),
});

export const DeleteAccountBody = Type.Object({
  password: Text,
  code: Type.Optional(Type.String({ maxLength: 64 })),
});

const WorkspaceName = Type.Object({ _id: Id, name: Type.String() });

/** What goes when the account is deleted. */
export const ErasureReply = Type.Object({
  deletedWorkspaces: Type.Array(WorkspaceName),
  leftWorkspaces: Type.Array(WorkspaceName),
  /** Somebody else has to become an owner of these first. */
  blockedWorkspaces: Type.Array(WorkspaceName),
  isLastAdmin: Type.Boolean(),
});

export const AccountExportReply = Type.Object({
  exportedAt: IsoTime,
  account: Type.Record(Type.String(), Type.Unknown()),
  workspaces: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  sessions: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  actions: Type.Array(Type.Record(Type.String(), Type.Unknown())),
});

/** `address` is what an authenticator app reads from a picture; `secret` is for typing. */
export const TwoFactorBeginReply = Type.Object({ secret: Type.String(), address: Type.String() });
export const TwoFactorCodeBody = Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) });
/** Shown once. */
export const RecoveryCodesReply = Type.Object({ recoveryCodes: Type.Array(Type.String()) });

/** What the identity provider sends the browser back with. */
export const OpenIdCallbackQuery = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 4000 })),
  state: Type.Optional(Type.String({ maxLength: 500 })),
  error: Type.Optional(Type.String({ maxLength: 500 })),
});
/** The other way to sign in, and how the caller's account stands to it. */
export const OpenIdReply = Type.Object({
  /** What it is called; null: none is set up. */
  name: nullable(Type.String()),
  isConnected: Type.Boolean(),
  /** False: nothing but the other sign-in opens the account, and it can not be disconnected. */
  hasPassword: Type.Boolean(),
});
/** From the authenticator app, or a recovery code: asked for where two-factor sign-in is on for whom the provider vouches for. */
export const OpenIdCodeBody = Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) });
/** Where the browser goes to connect the account. */
export const OpenIdLinkReply = Type.Object({ url: Type.String() });

export const SessionView = Type.Object({
  _id: Id,
  ip: Type.String(),
  userAgent: Type.String(),
  isCurrent: Type.Boolean(),
  isRemembered: Type.Boolean(),
  createdAt: IsoTime,
  lastSeenAt: IsoTime,
  expiresAt: IsoTime,
});
export const SessionsReply = Type.Object({ sessions: Type.Array(SessionView) });
export const EndedReply = Type.Object({ count: Count });

export const WorkspaceView = Type.Object({ _id: Id, name: Type.String(), role: Role, isCurrent: Type.Boolean() });
export const WorkspacesReply = Type.Object({ workspaces: Type.Array(WorkspaceView) });
export const WorkspaceReply = Type.Object({ workspace: WorkspaceView });
export const WorkspaceBody = Type.Object({ name: Name });
/** The session goes on in the other workspace; take the new access token. */
export const SwitchReply = Type.Object({ user: User, accessToken: Type.String(), expiresAt: IsoTime });

export type SwitchReply = Static<typeof SwitchReply>;

export const MemberView = Type.Object({
  userId: Id,
  name: Type.String(),
  email: Type.String(),
  role: Role,
  isYou: Type.Boolean(),
  hasTwoFactor: Type.Boolean(),
  since: IsoTime,
});
export const MembersReply = Type.Object({ members: Type.Array(MemberView) });
export const MemberRoleBody = Type.Object({ role: Role });

export const InvitationView = Type.Object({
  _id: Id,
  email: Type.String(),
  role: Role,
  createdAt: IsoTime,
  expiresAt: IsoTime,
});
export const InvitationsReply = Type.Object({ invitations: Type.Array(InvitationView) });
export const InvitationReply = Type.Object({ invitation: InvitationView });
export const InviteBody = Type.Object({ email: Type.String({ minLength: 1, maxLength: 254 }), role: Role });
export const InvitationPreviewReply = Type.Object({
  workspaceName: Type.String(),
  inviterName: Type.String(),
  email: Type.String(),
  role: Role,
  expiresAt: IsoTime,
  /** Sign in with the account of this address; without one, sign up. */
  hasAccount: Type.Boolean(),
});

export type InvitationPreviewReply = Static<typeof InvitationPreviewReply>;

export const ApiTokenView = Type.Object({
  _id: Id,
  name: Type.String(),
  scope: Type.Enum(TOKEN_SCOPES),
  /** Its last characters. */
  hint: Type.String(),
  userId: Id,
  isYours: Type.Boolean(),
  createdAt: IsoTime,
  expiresAt: nullable(IsoTime),
  lastUsedAt: nullable(IsoTime),
});
export const ApiTokensReply = Type.Object({ tokens: Type.Array(ApiTokenView) });
/** `read`: look; `operate`: also run syncs and resolve conflicts; `manage`: also connect stores and change pairs. */
export const ApiTokenBody = Type.Object({
  name: Name,
  scope: Type.Enum(TOKEN_SCOPES),
  /** Null: until it is revoked. Left out: 90 days. */
  expiresInDays: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 3650 }))),
});
/** `secret` is shown this once. */
export const NewApiTokenReply = Type.Object({ token: ApiTokenView, secret: Type.String() });

export const AuditQuery = PageQuery;
/** What the entries of the instance's log are about: the noun of their actions. */
export const INSTANCE_AUDIT_NOUNS = ['account', 'session', 'instance', 'workspace'] as const;
export const InstanceAuditQuery = Type.Object({
  ...PageQuery.properties,
  about: Type.Optional(Type.Enum(INSTANCE_AUDIT_NOUNS)),
});
export const AuditView = Type.Object({
  seq: Type.Integer(),
  at: IsoTime,
  action: Type.String(),
  target: nullable(Type.String()),
  actorId: nullable(Id),
  /** '' where the account is gone. */
  actorName: Type.String(),
  apiTokenId: nullable(Id),
  ip: Type.String(),
  userAgent: Type.String(),
  change: Type.Record(Type.String(), Type.Unknown()),
});
export type AuditView = Static<typeof AuditView>;
export const AuditReply = Type.Object({ entries: Type.Array(AuditView), nextCursor: NextCursor });

export const InstanceUserView = Type.Object({
  _id: Id,
  name: Type.String(),
  email: Type.String(),
  role: Type.Enum(USER_ROLES),
  isVerified: Type.Boolean(),
  hasTwoFactor: Type.Boolean(),
  /** How many workspaces they belong to. */
  workspaceCount: Count,
  /** In a browser, or by a change that a program made for them; null: not for as long as that is kept. */
  lastActiveAt: nullable(IsoTime),
  createdAt: IsoTime,
});
export const InstanceUsersReply = Type.Object({ users: Type.Array(InstanceUserView) });
export const InstanceUserReply = Type.Object({ user: InstanceUserView });
export const InstanceRoleBody = Type.Object({ role: Type.Enum(USER_ROLES) });

export const OUTBOX_STATES = ['held', 'queued', 'sent', 'failed'] as const;
export const OutboxQuery = Type.Object({
  ...PageQuery.properties,
  state: Type.Optional(Type.Enum(OUTBOX_STATES)),
});
export const OutboxMailView = Type.Object({
  _id: Id,
  kind: Type.String(),
  to: Type.String(),
  subject: Type.String(),
  state: Type.Enum(OUTBOX_STATES),
  attempts: Count,
  lastError: nullable(Type.String()),
  createdAt: IsoTime,
  sentAt: nullable(IsoTime),
});
export const OutboxReply = Type.Object({
  mails: Type.Array(OutboxMailView),
  nextCursor: NextCursor,
  /** False: there is no mail server, and every email is held. */
  isMailSent: Type.Boolean(),
});
/** `text` is '' once it was sent: it may have carried a link that opens an account. */
export const OutboxMailReply = Type.Object({ mail: OutboxMailView, text: Type.String() });
