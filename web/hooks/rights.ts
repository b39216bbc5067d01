import { isAllowed, type WorkspaceRole } from '../../src/model/role.ts';
import { askWhom } from './roles.ts';

interface Right {
  /** The least role that has it. */
  readonly needs: WorkspaceRole;
  /** What those who have it do, as the end of a sentence. */
  readonly does: string;
  /** What the server is asked to do with it, as its own table (`src/http/policy.ts`) names the routes; a test compares the two. */
  readonly routes: readonly string[];
}

/** What not every role may do. The server decides; pages say beforehand, by this table alone, what it would refuse. */
export const RIGHTS = {
  sync: {
    needs: 'member',
    does: 'start and cancel syncs',
    routes: ['POST /api/sync/manual', 'POST /api/sync/cancel/:id'],
  },
  pause: {
    needs: 'member',
    does: 'pause and resume pairs',
    routes: ['POST /api/pairs/:id/pause', 'POST /api/pairs/:id/resume'],
  },
  plan: {
    needs: 'member',
    does: 'make plans and apply them',
    routes: ['POST /api/pairs/:id/plan', 'POST /api/plans/:id/apply', 'POST /api/plans/:id/discard'],
  },
  settle: {
    needs: 'member',
    does: 'resolve conflicts',
    routes: ['POST /api/conflicts/:id/resolution', 'POST /api/conflicts/resolutions'],
  },
  retry: { needs: 'member', does: 'have problems tried again', routes: ['POST /api/problems/:id/retry'] },
  count: { needs: 'member', does: 'enter counts', routes: ['POST /api/records/:id/count'] },
  test: { needs: 'member', does: 'test connections', routes: ['POST /api/stores/:id/test-connection'] },
  sandbox: { needs: 'member', does: 'buy and edit in the sandbox shops', routes: ['POST /api/demo/actions'] },
  stores: {
    needs: 'admin',
    does: 'look after stores and pairs',
    routes: [
      'POST /api/stores/connect',
      'PATCH /api/stores/:id',
      'DELETE /api/stores/:id',
      'POST /api/stores/:id/keys',
      'POST /api/stores/:id/move',
      'POST /api/stores/:id/rotate-webhook-secret',
      'POST /api/pairs',
      'PATCH /api/pairs/:id',
      'DELETE /api/pairs/:id',
    ],
  },
  demoData: {
    needs: 'admin',
    does: 'load and remove demo data',
    routes: ['POST /api/demo/data', 'DELETE /api/demo/data'],
  },
  alerts: { needs: 'admin', does: 'decide about alerts', routes: ['PATCH /api/alerts'] },
  webhooks: {
    needs: 'admin',
    does: 'look after outgoing webhooks',
    routes: [
      'GET /api/webhook-endpoints',
      'POST /api/webhook-endpoints',
      'PATCH /api/webhook-endpoints/:id',
      'DELETE /api/webhook-endpoints/:id',
      'POST /api/webhook-endpoints/:id/rotate-secret',
      'POST /api/webhook-endpoints/:id/test',
      'GET /api/webhook-endpoints/:id/messages',
      'POST /api/webhook-endpoints/:id/messages/:messageId/replay',
    ],
  },
  team: {
    needs: 'admin',
    does: 'look after the team',
    routes: [
      'PATCH /api/workspace',
      'PATCH /api/workspace/members/:id',
      'DELETE /api/workspace/members/:id',
      'GET /api/workspace/invitations',
      'POST /api/workspace/invitations',
      'DELETE /api/workspace/invitations/:id',
    ],
  },
  audit: {
    needs: 'admin',
    does: 'read the audit log',
    routes: ['GET /api/workspace/audit', 'GET /api/workspace/audit/export'],
  },
  workspace: { needs: 'owner', does: 'delete the workspace', routes: ['DELETE /api/workspace'] },
} as const satisfies Readonly<Record<string, Right>>;

export type RightName = keyof typeof RIGHTS;

const WHO: Readonly<Record<WorkspaceRole, string>> = {
  owner: 'Owners',
  admin: 'Administrators',
  member: 'Members',
  viewer: 'Viewers',
};

export function may(role: WorkspaceRole, right: RightName): boolean {
  return isAllowed(role, RIGHTS[right].needs);
}

/** Why a role may not do something, and whom of the workspace to ask; null: it may. */
export function whyNot(role: WorkspaceRole, right: RightName, members: Parameters<typeof askWhom>[0]): string | null {
  if (may(role, right)) return null;
  const { needs, does } = RIGHTS[right];
  // Who lacks even that may only look, and may not know it.
  const lead = needs === 'member' ? 'You are a viewer here and may only look. ' : '';
  return `${lead}${WHO[needs]} ${does}.${askWhom(members, needs)}`;
}
