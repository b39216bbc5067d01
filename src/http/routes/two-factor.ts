import { beginTwoFactor, disableTwoFactor, enableTwoFactor, renewRecoveryCodes } from '../../accounts/two-factor.ts';
import { RecoveryCodesReply, TwoFactorBeginReply, TwoFactorCodeBody } from '../../contracts/account.ts';
import { Ok } from '../../contracts/shared.ts';
import type { HttpDeps } from '../deps.ts';
import { deviceOf } from '../device.ts';
import { person } from '../plugins/authentication.ts';
import { STRICT_LIMITS } from '../plugins/rate-limits.ts';
import type { Server } from '../types.ts';

export function twoFactorRoutes(server: Server, { accounts }: HttpDeps): void {
  server.post('/api/auth/two-factor/begin', { schema: { response: { 200: TwoFactorBeginReply } } }, async (request) =>
    beginTwoFactor(accounts, person(request)),
  );

  server.post(
    '/api/auth/two-factor/enable',
    {
      schema: { body: TwoFactorCodeBody, response: { 200: RecoveryCodesReply } },
      config: STRICT_LIMITS.signIn,
    },
    async (request) => ({
      recoveryCodes: [...enableTwoFactor(accounts, person(request), request.body.code, deviceOf(request))],
    }),
  );

  server.post('/api/auth/two-factor/disable', { schema: { response: { 200: Ok } } }, async (request) => {
    disableTwoFactor(accounts, person(request), deviceOf(request));
    return { ok: true as const };
  });

  server.post(
    '/api/auth/two-factor/recovery-codes',
    { schema: { response: { 200: RecoveryCodesReply } } },
    async (request) => ({ recoveryCodes: [...renewRecoveryCodes(accounts, person(request), deviceOf(request))] }),
  );
}
