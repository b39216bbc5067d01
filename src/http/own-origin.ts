import type { FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';

const SHOWN_MAX = 200;

/** Whether a browser sent this from a page of ours. Programs send no origin, and have no cookies to be misused. */
function isOwnOrigin(request: FastifyRequest, publicUrl: string | null): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return true;
  const from = hostOf(origin);
  if (from === null) return false;
  return from === request.host.toLowerCase() || (publicUrl !== null && from === hostOf(publicUrl));
}

/** Throws ORIGIN_REFUSED. It says what to do where the page is ours all the same, behind a proxy that does not tell by which name it was asked. */
export function requireOwnOrigin(request: FastifyRequest, publicUrl: string | null): void {
  if (isOwnOrigin(request, publicUrl)) return;
  const origin = request.headers.origin?.slice(0, SHOWN_MAX);
  throw new AppError(
    'ORIGIN_REFUSED',
    `Requests from ${origin} are not accepted. If that is the address of this server, set PUBLIC_URL to it, or have the proxy pass the Host header on.`,
  );
}

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).host : null;
}
