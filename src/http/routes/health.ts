import { signUpState } from '../../accounts/sign-up.ts';
import { InstanceReply } from '../../contracts/auth.ts';
import { HealthReply } from '../../contracts/health.ts';
import type { HttpDeps } from '../deps.ts';
import { deviceOf } from '../device.ts';
import type { Server } from '../types.ts';

export function healthRoutes(server: Server, deps: HttpDeps): void {
  server.get(
    '/api/health',
    { schema: { response: { 200: HealthReply, 503: HealthReply } }, config: { rateLimit: false } },
    async (_request, reply) => {
      if (deps.isReady()) return { status: 'ok' as const, version: deps.version };
      return reply.code(503).send({ status: 'starting' as const, version: deps.version });
    },
  );

  server.get('/api/instance', { schema: { response: { 200: InstanceReply } } }, async (request) => {
    const state = signUpState(deps.accounts, deviceOf(request));
    return {
      version: deps.version,
      isDemoAvailable: deps.demo !== null,
      signup: deps.accounts.signup,
      isSignupOpen: state.isOpen,
      isFirstRun: state.isFirst,
      isSetupTokenRequired: state.isSetupTokenRequired,
      identityProvider: deps.identityProvider?.name ?? null,
      isMailSent: deps.outbox.send !== null,
    };
  });
}
