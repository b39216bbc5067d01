import helmet from '@fastify/helmet';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from '../types.ts';

/** For what no page can come of: what is answered before there is a route, which no hook sees, and webhooks. */
export const HEADERS_WITHOUT_ROUTE = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

const POLICY = 'content-security-policy';
const UPGRADE = 'upgrade-insecure-requests';

/**
 * Scripts, styles and fonts come from this server only. Pictures of products come from wherever their stores keep them.
 * Over plain http (a first run at home) nothing may be forced to https.
 */
export async function addSecurityHeaders(server: Server, isHttps: boolean, publicUrl: string | null): Promise<void> {
  const publicHost = publicUrl === null ? null : new URL(publicUrl).host;
  await server.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'font-src': ["'self'"],
        'img-src': ["'self'", 'data:', 'https:'],
        'connect-src': ["'self'"],
        'manifest-src': ["'self'"],
        'worker-src': ["'self'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        ...(isHttps ? { [UPGRADE]: [] } : {}),
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: isHttps ? { policy: 'same-origin' } : false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    originAgentCluster: isHttps,
    xFrameOptions: { action: 'deny' },
    xPoweredBy: true,
  });
  server.addHook('onSend', async (request, reply) => {
    // Where the public address is a tunnel for webhooks, people at home come by another one, which speaks no https.
    if (isHttps && isAtHome(request, publicHost)) reply.header(POLICY, withoutUpgrade(reply));
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()');
    // Answers of the API are about one person at one moment. An address may begin with more than one slash.
    if (/^\/+api\//.test(request.url) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
}

/** Plain http, and not by the public name: nothing in front of the server makes https of it. */
function isAtHome({ protocol, host }: FastifyRequest, publicHost: string | null): boolean {
  return protocol === 'http' && host.toLowerCase() !== publicHost;
}

function withoutUpgrade(reply: FastifyReply): string {
  const parts = String(reply.getHeader(POLICY)).split(';');
  return parts.filter((part) => part !== UPGRADE).join(';');
}
