import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { SessionPrincipal } from '../../accounts/open-session.ts';
import { finishSignInElsewhere, SECOND_STEP_MS } from '../../accounts/second-step-elsewhere.ts';
import { arrive, beginTrip, disconnectIdentity, openTicket } from '../../accounts/sign-in-elsewhere.ts';
import { OpenIdCallbackQuery, OpenIdCodeBody, OpenIdLinkReply, OpenIdReply } from '../../contracts/account.ts';
import { SessionReply } from '../../contracts/auth.ts';
import { Ok } from '../../contracts/shared.ts';
import { hasExternalIdentity } from '../../db/readers/accounts.ts';
import { Refusal } from '../../model/refusal.ts';
import type { IdentityProvider } from '../../ports/identity-provider.ts';
import type { AccessTokens } from '../access-token.ts';
import { AppError } from '../app-error.ts';
import type { HttpDeps } from '../deps.ts';
import { deviceOf } from '../device.ts';
import { requireOwnOrigin } from '../own-origin.ts';
import { person } from '../plugins/authentication.ts';
import { STRICT_LIMITS } from '../plugins/rate-limits.ts';
import { presentSession } from '../present/user.ts';
import { setRefreshCookie } from '../refresh-cookie.ts';
import type { Server } from '../types.ts';

const TICKET = 'twinshelf_openid';
const SECOND_STEP = 'twinshelf_openid_code';
const CALLBACK = '/api/auth/oidc/callback';
const CODE = '/api/auth/oidc/code';
const MOVED = { response: { 302: Type.Null() } };

/** Sign-in by OpenID Connect, where the operator has set one up. */
export function openIdRoutes(server: Server, deps: HttpDeps, tokens: AccessTokens): void {
  const { accounts, identityProvider } = deps;
  const redirectUri = () => `${accounts.webUrl()}${CALLBACK}`;

  function provider(): IdentityProvider {
    if (identityProvider === null)
      throw new AppError('NOT_FOUND', 'There is no other way to sign in on this instance.');
    return identityProvider;
  }

  async function depart(request: FastifyRequest, reply: FastifyReply, asked: SessionPrincipal | null): Promise<string> {
    const { trip, ticket } = beginTrip(accounts, asked);
    const elsewhere = provider();
    const address = await elsewhere.begin(trip, redirectUri()).catch((error: unknown) => {
      logFailure(request, error);
      throw new AppError('PROVIDER_FAILED');
    });
    // Lax: the way back is a navigation that another site starts.
    reply.setCookie(TICKET, ticket, {
      ...{ path: new URL(redirectUri()).pathname, httpOnly: true, sameSite: 'lax' as const, maxAge: 600 },
      secure: isSecure(request),
    });
    return address;
  }

  function isSecure(request: FastifyRequest): boolean {
    return request.protocol === 'https' || deps.publicUrl?.startsWith('https:') === true;
  }

  const codePath = () => new URL(`${accounts.webUrl()}${CODE}`).pathname;

  function logFailure(request: FastifyRequest, error: unknown): void {
    const { name, message } = error instanceof Error ? error : { name: 'error', message: '' };
    deps.log.warn({ requestId: request.id, error: `${name}: ${message}` }, 'a sign-in by OpenID Connect failed');
  }

  /** The way back to our pages, which say what became of it. */
  function backWith(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
    const home = accounts.webUrl();
    if (error instanceof Refusal) return reply.redirect(`${home}/login?error=${encodeURIComponent(error.code)}`, 302);
    logFailure(request, error);
    return reply.redirect(`${home}/login?error=SIGN_IN_FAILED`, 302);
  }

  server.get('/api/auth/oidc', { schema: { response: { 200: OpenIdReply } } }, async (request) => {
    const { user } = person(request);
    return {
      name: identityProvider?.name ?? null,
      isConnected: hasExternalIdentity(deps.db, user.id),
      hasPassword: user.passwordHash !== '',
    };
  });

  server.get('/api/auth/oidc/start', { schema: MOVED, config: STRICT_LIMITS.signIn }, async (request, reply) => {
    try {
      return reply.redirect(await depart(request, reply, null), 302);
    } catch (error) {
      // Where there is none, there is no button either. A provider that is down is told by a page.
      if (!(error instanceof AppError) || error.code !== 'PROVIDER_FAILED') throw error;
      return reply.redirect(`${accounts.webUrl()}/login?error=${error.code}`, 302);
    }
  });

  server.post(
    '/api/auth/oidc/link',
    { schema: { response: { 200: OpenIdLinkReply } }, config: STRICT_LIMITS.signIn },
    async (request, reply) => ({ url: await depart(request, reply, person(request)) }),
  );

  server.post('/api/auth/oidc/unlink', { schema: { response: { 200: Ok } } }, async (request) => {
    disconnectIdentity(accounts, person(request), deviceOf(request));
    return { ok: true as const };
  });

  server.post(
    CODE,
    { schema: { body: OpenIdCodeBody, response: { 200: SessionReply } }, config: STRICT_LIMITS.signIn },
    async (request, reply) => {
      requireOwnOrigin(request, deps.publicUrl);
      const { code } = request.body;
      const signedIn = finishSignInElsewhere(accounts, request.cookies[SECOND_STEP], code, deviceOf(request));
      reply.clearCookie(SECOND_STEP, { path: codePath() });
      setRefreshCookie(request, reply, signedIn, deps.publicUrl);
      return presentSession(signedIn, tokens);
    },
  );

  server.get(
    CALLBACK,
    { schema: { ...MOVED, querystring: OpenIdCallbackQuery }, config: STRICT_LIMITS.signIn },
    async (request, reply) => {
      const ticket = openTicket(accounts, request.cookies[TICKET]);
      reply.clearCookie(TICKET, { path: new URL(redirectUri()).pathname });
      const home = accounts.webUrl();
      if (ticket === null) return reply.redirect(`${home}/login?error=SIGN_IN_FAILED`, 302);
      try {
        const query = request.url.slice(request.url.indexOf('?') + 1);
        const vouched = await provider().finish(ticket, `${redirectUri()}?${query}`);
        const arrival = arrive(accounts, provider(), vouched, ticket.linkTo, deviceOf(request));
        if (arrival.type === 'connected') return reply.redirect(`${home}/settings?tab=security`, 302);
        if (arrival.type === 'code_asked') {
          reply.setCookie(SECOND_STEP, arrival.ticket, {
            ...{ path: codePath(), httpOnly: true, sameSite: 'strict' as const, maxAge: SECOND_STEP_MS / 1000 },
            secure: isSecure(request),
          });
          return reply.redirect(`${home}/login?codeAsked=true`, 302);
        }
        setRefreshCookie(request, reply, arrival.signedIn, deps.publicUrl);
        return reply.redirect(`${home}/login?signedIn=true`, 302);
      } catch (error) {
        return backWith(request, reply, error);
      }
    },
  );
}
