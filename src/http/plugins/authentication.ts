import type { FastifyRequest } from 'fastify';
import { authenticate } from '../../accounts/authenticate.ts';
import type { Principal } from '../../accounts/open-session.ts';
import { InvariantError } from '../../lib/assert.ts';
import type { AccessTokens } from '../access-token.ts';
import { AppError } from '../app-error.ts';
import type { HttpDeps } from '../deps.ts';
import { isAllowed, POLICIES } from '../policy.ts';
import type { Server } from '../types.ts';

/** Holds every route to the policy table: one that is not in it does not register. */
export function addAuthentication(server: Server, deps: HttpDeps, tokens: AccessTokens): void {
  server.decorateRequest('principal', null);

  server.addHook('onRoute', (route) => {
    const methods = Array.isArray(route.method) ? route.method : [route.method];
    for (const method of methods) {
      // HEAD comes with GET, and OPTIONS is answered by nobody.
      const key = `${method === 'HEAD' ? 'GET' : method} ${route.url}`;
      const policy = POLICIES[key];
      if (policy === undefined) throw new InvariantError(`route "${key}" is missing in http/policy.ts`);
      route.config = { ...route.config, policy };
    }
  });

  server.addHook('onRequest', async (request) => {
    const policy = request.routeOptions.config.policy;
    // No policy: no route; the not-found handler says so.
    if (policy === undefined || policy.role === 'public') return;
    const token = bearerToken(request);
    if (token === null) throw new AppError('UNAUTHORIZED');
    const principal = authenticate(deps.accounts, tokens.verify(token));
    if (principal === null) throw new AppError('SESSION_EXPIRED');
    if (!isAllowed(principal.membership.role, policy.role)) {
      throw new AppError('FORBIDDEN', undefined, { role: principal.membership.role, neededRole: policy.role });
    }
    if (principal.workspace.isDemo) {
      if (policy.demo === false)
        throw new AppError('FORBIDDEN', 'The demo cannot do this. Sign up to use your own stores.');
      deps.demo?.touch(principal.workspace.id);
    }
    request.principal = principal;
  });
}

export function bearerToken(request: FastifyRequest): string | null {
  const match = /^Bearer +([^\s]+)$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

/** Who is calling a route that is not public. */
export function caller(request: FastifyRequest): Principal {
  if (request.principal === null) throw new InvariantError('a route that is not public has a caller');
  return request.principal;
}
