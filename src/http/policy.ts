import type { WORKSPACE_ROLES } from '../contracts/auth.ts';

export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

export interface Policy {
  /** The least role in the workspace that may call the route; `public`: nobody needs to be signed in. */
  readonly role: WorkspaceRole | 'public';
  /** False: a demo visitor is asked to sign up instead. */
  readonly demo?: false;
}

const PUBLIC: Policy = { role: 'public' };
const VIEWER: Policy = { role: 'viewer' };
const MEMBER: Policy = { role: 'member' };
const ADMIN: Policy = { role: 'admin' };

/**
 * Who may call what. A route that is not listed here cannot be registered, so that none is ever open by oversight.
 * viewers look; members operate syncs and settle conflicts; admins connect stores and change pairs.
 */
export const POLICIES: Readonly<Record<string, Policy>> = {
  'GET /api/health': PUBLIC,
  'GET /api/instance': PUBLIC,
  // Authenticates itself, by its first message.
  'GET /api/ws': PUBLIC,
  // Authentic by signature.
  'POST /api/webhooks/:storeId': PUBLIC,
  // The web app itself.
  'GET /*': PUBLIC,

  'POST /api/auth/signup': PUBLIC,
  'POST /api/auth/login': PUBLIC,
  'POST /api/api/auth/login': PUBLIC,
  'POST /api/auth/refresh': PUBLIC,
  'POST /api/auth/logout': PUBLIC,
  'GET /api/auth/me': VIEWER,

  'GET /api/stores': VIEWER,
  'POST /api/stores/connect': { role: 'admin', demo: false },
  'GET /api/stores/:id': VIEWER,
  'PATCH /api/stores/:id': ADMIN,
  'DELETE /api/stores/:id': ADMIN,
  'POST /api/stores/:id/test-connection': MEMBER,
  'GET /api/stores/:id/stats': VIEWER,

  'GET /api/pairs': VIEWER,
  'POST /api/pairs': ADMIN,
  'GET /api/pairs/:id': VIEWER,
  'PATCH /api/pairs/:id': ADMIN,
  'DELETE /api/pairs/:id': ADMIN,
  'POST /api/pairs/:id/pause': MEMBER,
  'POST /api/pairs/:id/resume': MEMBER,
  'POST /api/pairs/:id/plan': MEMBER,

  'GET /api/plans/:id': VIEWER,
  'POST /api/plans/:id/apply': MEMBER,
  'POST /api/plans/:id/discard': MEMBER,

  'POST /api/sync/manual': MEMBER,
  'GET /api/sync/status/:id': VIEWER,
  'POST /api/sync/cancel/:id': MEMBER,
  'GET /api/sync/history': VIEWER,
  'GET /api/sync/stats': VIEWER,
  'GET /api/sync/queue/status': VIEWER,
  'GET /api/runs/:id': VIEWER,

  'GET /api/records': VIEWER,
  'GET /api/records/:id': VIEWER,
  'POST /api/records/:id/count': MEMBER,
  'GET /api/conflicts': VIEWER,
  'GET /api/conflicts/:id': VIEWER,
  'POST /api/conflicts/:id/resolution': MEMBER,
  'GET /api/problems': VIEWER,
  'POST /api/problems/:id/retry': MEMBER,
  'GET /api/activity': VIEWER,
  'GET /api/dashboard/overview': VIEWER,

  'POST /api/demo/session': PUBLIC,
  'GET /api/demo/shelves': VIEWER,
  'POST /api/demo/actions': MEMBER,
};

const RANK: Readonly<Record<WorkspaceRole, number>> = { owner: 3, admin: 2, member: 1, viewer: 0 };

export function isAllowed(role: WorkspaceRole, needed: WorkspaceRole): boolean {
  return RANK[role] >= RANK[needed];
}
