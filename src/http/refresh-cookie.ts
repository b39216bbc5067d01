import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../accounts/open-session.ts';
import { requireOwnOrigin } from './own-origin.ts';

const NAME = 'twinshelf_refresh';

/** Only sign-in routes get to see it; under the sub-path of the public address, if there is one. */
function pathOf(publicUrl: string | null): string {
  const prefix = publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
  return `${prefix}/api/auth`;
}

/** Not remembered: the browser forgets it when it closes; the server, 12 hours after the last refresh, and a week after the sign-in at the latest. */
export function setRefreshCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  signedIn: SignedIn,
  publicUrl: string | null,
): void {
  const { session } = signedIn;
  reply.setCookie(NAME, signedIn.refreshToken, {
    path: pathOf(publicUrl),
    httpOnly: true,
    sameSite: 'strict',
    secure: request.protocol === 'https' || publicUrl?.startsWith('https:') === true,
    ...(session.isRemembered ? { expires: new Date(session.expiresAt) } : {}),
  });
}

export function clearRefreshCookie(reply: FastifyReply, publicUrl: string | null): void {
  reply.clearCookie(NAME, { path: pathOf(publicUrl), httpOnly: true, sameSite: 'strict' });
}

/** The token that the body brought (older and API clients), else the cookie's, which only our own pages may use. */
export function refreshTokenOf(
  request: FastifyRequest,
  fromBody: string | undefined,
  publicUrl: string | null,
): string | null {
  if (fromBody !== undefined && fromBody !== '') return fromBody;
  const fromCookie = request.cookies[NAME];
  if (fromCookie === undefined || fromCookie === '') return null;
  requireOwnOrigin(request, publicUrl);
  return fromCookie;
}
