import type { WorkspaceRole } from '../model/role.ts';

export interface Policy {
  /** The least role in the workspace that may call the route; `public`: nobody needs to be signed in. */
  readonly role: WorkspaceRole | 'public';
  /** False: a demo visitor is asked to sign up instead. */
  readonly demo?: false;
  /** True: a person in a browser only; API tokens are refused. */
  readonly session?: true;
  /** True: the person has proved a moment ago who they are (password, and code with two-factor sign-in). */
  readonly proved?: true;
  /** True: administrators of the instance only. */
  readonly instance?: true;
  /**
   * What the audit log calls it: noun.verb. `own`: the use case records it, with what changed. Every route that changes something says one of
   * them; `none` says why not in a comment.
   */
  readonly audit?: `${string}.${string}` | 'own' | 'none';
}

const PUBLIC: Policy = { role: 'public', audit: 'none' };
const VIEWER: Policy = { role: 'viewer' };
/** About the caller's own account: every role has one, demo visitors and programs have none. */
const PERSON: Policy = { role: 'viewer', demo: false, session: true, audit: 'own' };
const PERSON_PROVED: Policy = { ...PERSON, proved: true };
const INSTANCE: Policy = { ...PERSON, instance: true };
const TEAM: Policy = { role: 'admin', demo: false, session: true, audit: 'own' };

function member(audit: Policy['audit'] & string): Policy {
  return { role: 'member', audit };
}

function admin(audit: Policy['audit'] & string): Policy {
  return { role: 'admin', audit };
}

/**
 * Who may call what. A route that is not listed here cannot be registered, so that none is ever open by oversight.
 * viewers look; members operate syncs and resolve conflicts; admins connect stores, change pairs and look after the team; owners also decide
 * about owners and about the workspace itself.
 */
export const POLICIES: Readonly<Record<string, Policy>> = {
  'GET /api/health': PUBLIC,
  'GET /api/instance': PUBLIC,
  'GET /api/openapi.json': PUBLIC,
  'GET /api/client.ts': PUBLIC,
  'GET /api/docs': PUBLIC,
  'GET /api/docs/style.css': PUBLIC,
  // Authenticates itself, by its first message.
  'GET /api/ws': PUBLIC,
  // Authentic by signature; every change that it causes stands in the history.
  'POST /api/webhooks/:storeId': PUBLIC,
  // The web app itself.
  'GET /*': PUBLIC,

  'POST /api/contact': PUBLIC,

  'POST /api/auth/signup': { role: 'public', audit: 'own' },
  'POST /api/auth/login': { role: 'public', audit: 'own' },
  // Where a client of the specification signs in.
  'POST /api/api/auth/login': { role: 'public', audit: 'own' },
  // Every quarter of an hour, by a machine.
  'POST /api/auth/refresh': PUBLIC,
  'POST /api/auth/logout': { role: 'public', audit: 'own' },
  // Name, address and what they want to be told: a program that shall act for them needs none of it.
  'GET /api/auth/me': { role: 'viewer', session: true },
  'POST /api/auth/verify-email': { role: 'public', audit: 'own' },
  'POST /api/auth/resend-verification': { ...PERSON, audit: 'none' },
  // Whether there is such an account must not show anywhere but in its mailbox.
  'POST /api/auth/forgot-password': PUBLIC,
  'POST /api/auth/reset-password': { role: 'public', audit: 'own' },
  // Changes nothing but how long protected actions are open.
  'POST /api/auth/prove': { ...PERSON, audit: 'none' },
  'POST /api/auth/two-factor/begin': { ...PERSON_PROVED, audit: 'none' },
  'POST /api/auth/two-factor/enable': PERSON_PROVED,
  'POST /api/auth/two-factor/disable': PERSON_PROVED,
  'POST /api/auth/two-factor/recovery-codes': PERSON_PROVED,
  'GET /api/auth/oidc': PERSON,
  'GET /api/auth/oidc/start': PUBLIC,
  // Authentic by the provider's signature and the ticket that this browser holds.
  'GET /api/auth/oidc/callback': { role: 'public', audit: 'own' },
  // Authentic by the ticket that the way back gave this browser, and the code.
  'POST /api/auth/oidc/code': { role: 'public', audit: 'own' },
  // Only sends the browser away; the way back records what came of it.
  'POST /api/auth/oidc/link': { ...PERSON_PROVED, audit: 'none' },
  'POST /api/auth/oidc/unlink': PERSON_PROVED,
  'GET /api/auth/sessions': PERSON,
  'DELETE /api/auth/sessions/:id': PERSON,
  'POST /api/auth/sessions/end-others': PERSON,

  'PATCH /api/user/settings': PERSON,
  'POST /api/user/change-password': PERSON,
  'GET /api/user/account/erasure': PERSON,
  'DELETE /api/user/account': PERSON,
  'GET /api/user/export': PERSON_PROVED,

  'GET /api/workspaces': { role: 'viewer', session: true },
  'POST /api/workspaces': PERSON,
  // Only says where the session goes on.
  'POST /api/workspaces/:id/switch': { ...PERSON, audit: 'none' },
  'PATCH /api/workspace': TEAM,
  'DELETE /api/workspace': { ...TEAM, role: 'owner', proved: true },
  'POST /api/workspace/leave': PERSON,
  'GET /api/workspace/members': { role: 'viewer', session: true },
  'PATCH /api/workspace/members/:id': { ...TEAM, proved: true },
  'DELETE /api/workspace/members/:id': { ...TEAM, proved: true },
  'GET /api/workspace/invitations': TEAM,
  'POST /api/workspace/invitations': TEAM,
  'DELETE /api/workspace/invitations/:id': TEAM,
  'GET /api/workspace/audit': TEAM,
  'GET /api/workspace/audit/export': TEAM,
  'GET /api/workspace/tokens': { role: 'viewer', demo: false, session: true },
  'POST /api/workspace/tokens': PERSON_PROVED,
  'POST /api/workspace/tokens/:id/regenerate': PERSON_PROVED,
  'DELETE /api/workspace/tokens/:id': PERSON,
  // Who holds the mailed token may read what it is for.
  'POST /api/invitations/preview': PUBLIC,
  'POST /api/invitations/accept': PERSON,

  'GET /api/instance/users': INSTANCE,
  'PATCH /api/instance/users/:id': { ...INSTANCE, proved: true },
  'GET /api/instance/audit': INSTANCE,
  'GET /api/instance/outbox': INSTANCE,
  // Held messages carry links that open accounts.
  'GET /api/instance/outbox/:id': { ...INSTANCE, proved: true },
  'POST /api/instance/outbox/test': INSTANCE,
  'GET /api/instance/backups': INSTANCE,
  'POST /api/instance/backups': INSTANCE,

  'GET /api/stores': VIEWER,
  'POST /api/stores/connect': { ...admin('store.connected'), demo: false },
  'GET /api/stores/:id': VIEWER,
  'PATCH /api/stores/:id': admin('store.changed'),
  'DELETE /api/stores/:id': admin('store.disconnected'),
  'POST /api/stores/:id/test-connection': member('store.tested'),
  'POST /api/stores/:id/keys': { ...admin('store.keys_renewed'), demo: false },
  'POST /api/stores/:id/move': { ...admin('store.moved'), demo: false },
  'POST /api/stores/:id/rotate-webhook-secret': admin('store.webhook_secret_rotated'),
  'GET /api/stores/:id/stats': VIEWER,

  'GET /api/pairs': VIEWER,
  'POST /api/pairs': admin('pair.created'),
  'GET /api/pairs/:id': VIEWER,
  'PATCH /api/pairs/:id': admin('pair.changed'),
  'DELETE /api/pairs/:id': admin('pair.deleted'),
  'POST /api/pairs/:id/pause': member('pair.paused'),
  'POST /api/pairs/:id/resume': member('pair.resumed'),
  'POST /api/pairs/:id/plan': member('plan.requested'),

  'GET /api/plans/:id': VIEWER,
  'POST /api/plans/:id/apply': member('plan.applied'),
  'POST /api/plans/:id/discard': member('plan.discarded'),

  'POST /api/sync/manual': member('sync.requested'),
  'GET /api/sync/status/:id': VIEWER,
  'POST /api/sync/cancel/:id': member('sync.cancelled'),
  'GET /api/sync/history': VIEWER,
  'GET /api/sync/stats': VIEWER,
  'GET /api/sync/queue/status': VIEWER,
  'GET /api/runs/:id': VIEWER,

  'GET /api/records': VIEWER,
  'GET /api/records/:id': VIEWER,
  'POST /api/records/:id/count': member('stock.counted'),
  'GET /api/conflicts': VIEWER,
  'GET /api/conflicts/:id': VIEWER,
  'POST /api/conflicts/:id/resolution': member('conflict.settled'),
  // One entry for each that was resolved, as when each is resolved alone.
  'POST /api/conflicts/resolutions': member('own'),
  'GET /api/problems': VIEWER,
  'POST /api/problems/:id/retry': member('problem.retried'),
  'GET /api/activity': VIEWER,
  'GET /api/dashboard/overview': VIEWER,
  'GET /api/dashboard/analytics': VIEWER,

  'GET /api/alerts': VIEWER,
  'PATCH /api/alerts': admin('alerts.changed'),
  'GET /api/webhook-endpoints': { role: 'admin' },
  'POST /api/webhook-endpoints': { ...admin('endpoint.created'), demo: false },
  'PATCH /api/webhook-endpoints/:id': { ...admin('endpoint.changed'), demo: false },
  'DELETE /api/webhook-endpoints/:id': admin('endpoint.deleted'),
  'POST /api/webhook-endpoints/:id/rotate-secret': { ...admin('endpoint.secret_rotated'), demo: false },
  'POST /api/webhook-endpoints/:id/test': admin('endpoint.tested'),
  'GET /api/webhook-endpoints/:id/messages': { role: 'admin' },
  'POST /api/webhook-endpoints/:id/messages/:messageId/replay': admin('endpoint.message_replayed'),

  'POST /api/demo/session': PUBLIC,
  'GET /api/demo/shelves': VIEWER,
  'POST /api/demo/data': { ...admin('demo_data.loaded'), demo: false },
  'DELETE /api/demo/data': { ...admin('demo_data.removed'), demo: false },
  // Done in the sandbox shop, as a customer would.
  'POST /api/demo/actions': { role: 'member', audit: 'none' },
};
