import type { FastifyRequest, FastifySchema } from 'fastify';
import { authenticate, authenticateApiToken } from '../../accounts/authenticate.ts';
import type { Principal, SessionPrincipal } from '../../accounts/open-session.ts';
import { isProved } from '../../accounts/prove-identity.ts';
import { InvariantError } from '../../lib/assert.ts';
import { isAllowed, ROLE_OF_SCOPE, TOKEN_SCOPES } from '../../model/role.ts';
import type { AccessTokens } from '../access-token.ts';
import { AppError } from '../app-error.ts';
import type { HttpDeps } from '../deps.ts';
import { POLICIES, type Policy } from '../policy.ts';
import type { Server } from '../types.ts';

/** What an API token begins with. */
const API_TOKEN_PREFIX = 'ts_';

/** A route as the router knows it: tests, the API's description and the fuzzer walk this list. */
export interface KnownRoute {
  readonly method: string;
  readonly url: string;
  readonly policy: Policy;
  readonly schemaOf: () => FastifySchema;
}

/** Holds every route to the policy table: one that is not in it does not register. */
export function addAuthentication(server: Server, deps: HttpDeps, tokens: AccessTokens): void {
  const routes: KnownRoute[] = [];
  server.decorate('knownRoutes', routes);
  server.decorateRequest('principal', null);

  server.addHook('onRoute', (route) => {
    const methods = Array.isArray(route.method) ? route.method : [route.method];
    for (const method of methods) {
      // HEAD comes with GET, and OPTIONS is answered by nobody.
      const key = `${method === 'HEAD' ? 'GET' : method} ${route.url}`;
      const policy = POLICIES[key];
      if (policy === undefined) throw new InvariantError(`route "${key}" is missing in http/policy.ts`);
      route.config = { ...route.config, policy };
      // Read when somebody asks: what other plugins add to the schema comes later.
      if (method !== 'HEAD') routes.push({ method, url: route.url, policy, schemaOf: () => route.schema ?? {} });
    }
  });

  server.addHook('onRequest', async (request) => {
    const policy = request.routeOptions.config.policy;
    // No policy: no route; the not-found handler says so.
    if (policy === undefined || policy.role === 'public') return;
    const principal = identify(request, deps, tokens);
    if (!isOwnPage(request)) deps.usage.count(principal.workspace.id, 'api_calls');
    refuse(principal, policy, deps);
    // By a person: a program that asks every minute would keep a sandbox for ever.
    if (principal.session !== null) deps.demo?.touch(principal.workspace.id);
    request.principal = principal;
  });

  // A body may take half a minute to arrive: who was signed out, taken out or given a lesser role meanwhile does nothing by it.
  server.addHook('preHandler', async (request) => {
    const policy = request.routeOptions.config.policy;
    if (policy === undefined || request.principal === null || request.body === undefined) return;
    const principal = identify(request, deps, tokens);
    refuse(principal, policy, deps);
    request.principal = principal;
  });
}

function identify(request: FastifyRequest, deps: HttpDeps, tokens: AccessTokens): Principal {
  const token = bearerToken(request);
  if (token === null) throw new AppError('UNAUTHORIZED');
  if (token.startsWith(API_TOKEN_PREFIX)) {
    const principal = authenticateApiToken(deps.accounts, token);
    if (principal === null) throw new AppError('UNAUTHORIZED', 'This API token is unknown, revoked or expired.');
    return principal;
  }
  const { principal, isElsewhere } = identifySession(deps, tokens, token);
  // What was meant for one workspace is not done in another; whoever renews the token learns where they are. Looking does no harm.
  if (isElsewhere && request.method !== 'GET' && request.method !== 'HEAD') throw new AppError('TOKEN_EXPIRED');
  return principal;
}

/** The person behind an access token. `isElsewhere`: their session has gone on in another workspace than the one that the token was given for. */
export function identifySession(
  deps: Pick<HttpDeps, 'accounts'>,
  tokens: AccessTokens,
  token: string,
): { readonly principal: SessionPrincipal; readonly isElsewhere: boolean } {
  const { sessionId, workspaceId } = tokens.verify(token);
  const principal = authenticate(deps.accounts, sessionId);
  if (principal === null) throw new AppError('SESSION_EXPIRED');
  return { principal, isElsewhere: principal.workspace.id !== workspaceId };
}

/** Pages of the dashboard say that it is they who ask, as often as they need; usage is what programs call. Nothing hangs on it but that. */
function isOwnPage(request: FastifyRequest): boolean {
  return request.headers['x-requested-by'] === 'dashboard';
}

function refuse(principal: Principal, policy: Policy, deps: HttpDeps): void {
  const { user, workspace, membership, apiToken } = principal;
  if (policy.role !== 'public' && !isAllowed(membership.role, policy.role)) {
    const scope = TOKEN_SCOPES.find((one) => policy.role !== 'public' && isAllowed(ROLE_OF_SCOPE[one], policy.role));
    // A wider token helps where it is the token that stops it, and not the person that it acts for.
    const isNarrow = apiToken !== null && scope !== undefined && !isAllowed(ROLE_OF_SCOPE[apiToken.scope], policy.role);
    const message = isNarrow
      ? `The scope of this token ("${apiToken.scope}") does not allow this: use a token with "${scope}".`
      : undefined;
    throw new AppError('FORBIDDEN', message, { role: membership.role, neededRole: policy.role });
  }
  if (policy.instance === true && user.role !== 'admin') {
    throw new AppError('FORBIDDEN', 'Only administrators of this instance can do this.');
  }
  if (workspace.isDemo && policy.demo === false) {
    throw new AppError('FORBIDDEN', 'The demo cannot do this. Sign up to use your own stores.');
  }
  if (policy.session === true && principal.session === null) throw new AppError('SESSION_ONLY');
  if (policy.proved === true && principal.session !== null && !isProved(deps.accounts, principal)) {
    throw new AppError('PROOF_REQUIRED');
  }
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

/** Who is calling a route whose policy says `session`. */
export function person(request: FastifyRequest): SessionPrincipal {
  const principal = caller(request);
  if (principal.session === null) throw new InvariantError('the policy of this route says "session"');
  return principal;
}
