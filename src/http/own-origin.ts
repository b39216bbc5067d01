import type { FastifyRequest } from 'fastify';

/** Whether a browser sent this from a page of ours. Programs send no origin, and have no cookies to be misused. */
export function isOwnOrigin(request: FastifyRequest, publicUrl: string | null): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return true;
  const from = hostOf(origin);
  if (from === null) return false;
  return from === request.host.toLowerCase() || (publicUrl !== null && from === hostOf(publicUrl));
}

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).host : null;
}
