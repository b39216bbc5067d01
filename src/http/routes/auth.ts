import type { FastifyReply, FastifyRequest } from 'fastify';
import { login } from '../../accounts/login.ts';
import { logout } from '../../accounts/logout.ts';
import type { SignedIn } from '../../accounts/open-session.ts';
import { PROOF_MS, proveIdentity } from '../../accounts/prove-identity.ts';
import { refreshSession } from '../../accounts/refresh-session.ts';
import { forgotPassword, resetPassword } from '../../accounts/reset-password.ts';
import { signUp } from '../../accounts/sign-up.ts';
import { resendVerification, verifyEmail } from '../../accounts/verify-email.ts';
import {
  ForgotPasswordBody,
  LoginBody,
  MailedTokenBody,
  MeReply,
  ProveBody,
  ProveReply,
  RefreshBody,
  ResetPasswordBody,
  SessionReply,
  SignUpBody,
} from '../../contracts/auth.ts';
import { Ok } from '../../contracts/shared.ts';
import { isoTime } from '../../lib/time.ts';
import type { AccessTokens } from '../access-token.ts';
import { AppError } from '../app-error.ts';
import type { HttpDeps } from '../deps.ts';
import { deviceOf } from '../device.ts';
import { bearerToken, caller, person } from '../plugins/authentication.ts';
import { STRICT_LIMITS } from '../plugins/rate-limits.ts';
import { presentSession, presentUser } from '../present/user.ts';
import { clearRefreshCookie, refreshTokenOf, setRefreshCookie } from '../refresh-cookie.ts';
import type { Server } from '../types.ts';

export function authRoutes(server: Server, deps: HttpDeps, tokens: AccessTokens): void {
  const { accounts } = deps;

  function welcome(request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn): SessionReply {
    setRefreshCookie(request, reply, signedIn, deps.publicUrl);
    return presentSession(signedIn, tokens);
  }

  server.post(
    '/api/auth/signup',
    { schema: { body: SignUpBody, response: { 201: SessionReply } }, config: STRICT_LIMITS.signUp },
    async (request, reply) => {
      const signedIn = await signUp(accounts, request.body, deviceOf(request));
      return reply.code(201).send(welcome(request, reply, signedIn));
    },
  );

  // The second path is the one that old clients build.
  for (const path of ['/api/auth/login', '/api/api/auth/login']) {
    server.post(
      path,
      { schema: { body: LoginBody, response: { 200: SessionReply } }, config: STRICT_LIMITS.signIn },
      async (request, reply) => welcome(request, reply, await login(accounts, request.body, deviceOf(request))),
    );
  }

  server.post(
    '/api/auth/refresh',
    { schema: { body: RefreshBody, response: { 200: SessionReply } } },
    async (request, reply) => {
      const token = refreshTokenOf(request, request.body?.refreshToken, deps.publicUrl);
      if (token === null) throw new AppError('SESSION_EXPIRED');
      // With who they are and where: an administrator may have taken them out of the workspace that they were in.
      return welcome(request, reply, refreshSession(accounts, token));
    },
  );

  server.post('/api/auth/logout', { schema: { body: RefreshBody, response: { 200: Ok } } }, async (request, reply) => {
    const refreshToken = refreshTokenOf(request, request.body?.refreshToken, deps.publicUrl);
    logout(accounts, { sessionId: sessionOf(request, tokens), refreshToken }, deviceOf(request));
    clearRefreshCookie(reply, deps.publicUrl);
    return { ok: true as const };
  });

  server.post(
    '/api/auth/verify-email',
    { schema: { body: MailedTokenBody, response: { 200: Ok } }, config: STRICT_LIMITS.signIn },
    async (request) => {
      verifyEmail(accounts, request.body.token, deviceOf(request));
      return { ok: true as const };
    },
  );

  server.post(
    '/api/auth/resend-verification',
    { schema: { response: { 200: Ok } }, config: STRICT_LIMITS.mail },
    async (request) => {
      resendVerification(accounts, person(request).user);
      return { ok: true as const };
    },
  );

  server.post(
    '/api/auth/forgot-password',
    { schema: { body: ForgotPasswordBody, response: { 200: Ok } }, config: STRICT_LIMITS.mail },
    async (request) => {
      const { email } = request.body;
      // After the answer is out: neither its words nor its time tell whether there is such an account.
      setImmediate(() => {
        try {
          forgotPassword(accounts, email);
        } catch (error) {
          deps.log.error({ requestId: request.id, error: String(error) }, 'a password reset could not be mailed');
        }
      });
      return { ok: true as const };
    },
  );

  server.post(
    '/api/auth/reset-password',
    { schema: { body: ResetPasswordBody, response: { 200: Ok } }, config: STRICT_LIMITS.signIn },
    async (request) => {
      await resetPassword(accounts, request.body, deviceOf(request));
      return { ok: true as const };
    },
  );

  server.post(
    '/api/auth/prove',
    { schema: { body: ProveBody, response: { 200: ProveReply } }, config: STRICT_LIMITS.signIn },
    async (request) => {
      await proveIdentity(accounts, person(request), request.body, deviceOf(request));
      return { provedUntil: isoTime(deps.clock.now() + PROOF_MS) };
    },
  );

  server.get('/api/auth/me', { schema: { response: { 200: MeReply } } }, async (request) => ({
    user: presentUser(caller(request)),
  }));
}

/** An expired token signs nobody out: its session is named by the refresh token then. */
function sessionOf(request: FastifyRequest, tokens: AccessTokens): string | null {
  const token = bearerToken(request);
  if (token === null) return null;
  try {
    return tokens.verify(token).sessionId;
  } catch {
    return null;
  }
}
