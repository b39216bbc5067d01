import { signUpState } from '../../accounts/sign-up.ts';
import { InstanceReply } from '../../contracts/auth.ts';
import { HealthReply } from '../../contracts/health.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import type { HttpDeps } from '../deps.ts';
import { deviceOf } from '../device.ts';
import type { Server } from '../types.ts';

/** So long after the disk last took nothing it is not trusted, ms: something is written at least that often. */
const DISK_FAILED_MS = MINUTE_MS;

export function healthRoutes(server: Server, deps: HttpDeps, isClosing: () => boolean): void {
  server.get(
    '/api/health',
    { schema: { response: { 200: HealthReply, 503: HealthReply } }, config: { rateLimit: false } },
    async (_request, reply) => {
      const { version } = deps;
      if (isClosing()) return reply.code(503).send({ status: 'stopping' as const, version });
      if (!deps.isReady()) return reply.code(503).send({ status: 'starting' as const, version });
      const { failedAtMs } = deps.db.disk;
      // Where nobody can be told by email or in the dashboard, whoever watches this address is.
      if (failedAtMs !== null && performance.now() - failedAtMs < DISK_FAILED_MS)
        return reply.code(503).send({ status: 'storage_failed' as const, version });
      return { status: 'ok' as const, version };
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
