import { changePassword } from '../../accounts/change-password.ts';
import { deleteAccount, planErasure } from '../../accounts/delete-account.ts';
import { exportAccount } from '../../accounts/export-account.ts';
import { updateProfile } from '../../accounts/update-profile.ts';
import {
  AccountExportReply,
  ChangePasswordBody,
  DeleteAccountBody,
  ErasureReply,
  UserSettingsBody,
  UserSettingsReply,
} from '../../contracts/account.ts';
import { Ok } from '../../contracts/shared.ts';
import type { WorkspaceRow } from '../../db/schema/workspace.ts';
import type { HttpDeps } from '../deps.ts';
import { deviceOf } from '../device.ts';
import { person } from '../plugins/authentication.ts';
import { STRICT_LIMITS } from '../plugins/rate-limits.ts';
import { presentUser } from '../present/user.ts';
import { clearRefreshCookie } from '../refresh-cookie.ts';
import type { Server } from '../types.ts';

export function userRoutes(server: Server, deps: HttpDeps): void {
  const { accounts } = deps;

  server.patch(
    '/api/user/settings',
    { schema: { body: UserSettingsBody, response: { 200: UserSettingsReply } } },
    async (request) => {
      const { principal, isEmailPending } = updateProfile(accounts, person(request), request.body, deviceOf(request));
      return { user: presentUser(principal), isEmailPending };
    },
  );

  server.post(
    '/api/user/change-password',
    { schema: { body: ChangePasswordBody, response: { 200: Ok } }, config: STRICT_LIMITS.signIn },
    async (request) => {
      await changePassword(accounts, person(request), request.body, deviceOf(request));
      return { ok: true as const };
    },
  );

  server.get('/api/user/account/erasure', { schema: { response: { 200: ErasureReply } } }, async (request) => {
    const plan = planErasure(deps.db, person(request));
    const named = (rows: readonly WorkspaceRow[]) => rows.map(({ id, name }) => ({ _id: id, name }));
    return {
      deletedWorkspaces: named(plan.deleted),
      leftWorkspaces: named(plan.left),
      blockedWorkspaces: named(plan.blocked),
      isLastAdmin: plan.isLastAdmin,
    };
  });

  server.delete(
    '/api/user/account',
    { schema: { body: DeleteAccountBody, response: { 200: Ok } }, config: STRICT_LIMITS.signIn },
    async (request, reply) => {
      await deleteAccount(accounts, person(request), request.body, deviceOf(request));
      clearRefreshCookie(reply, deps.publicUrl);
      return { ok: true as const };
    },
  );

  server.get('/api/user/export', { schema: { response: { 200: AccountExportReply } } }, async (request, reply) => {
    reply.header('content-disposition', 'attachment; filename="account.json"');
    return exportAccount(accounts, person(request));
  });
}
