import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { toText } from './decimal.ts';
import type { Fault, FaultHook } from './faults.ts';
import { type JsonObject, phpJson } from './json.ts';
import { parseQuery } from './query-string.ts';
import { PhpFatal, RestError } from './rest-error.ts';
import type { RestCall, RestServer } from './rest-server.ts';
import type { RestResponse } from './rest-types.ts';
import type { Site } from './site.ts';
import type { Stats } from './stats.ts';
import type { WebhookEngine } from './webhook-engine.ts';

const BODY_BYTES_MAX = 32 * 1024 * 1024;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
// One grey pixel: whatever was "uploaded" looks like this.
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

export interface AppParts {
  readonly site: Site;
  readonly rest: RestServer;
  readonly engine: WebhookEngine;
  readonly stats: Stats;
  readonly fault: { hook: FaultHook | null };
  readonly handleControl: (request: FastifyRequest, reply: FastifyReply, name: string) => Promise<unknown>;
}

/** The web server in front of WordPress: addresses, host quirks, faults, headers. */
export function buildApp(parts: AppParts): FastifyInstance {
  const app = Fastify({ bodyLimit: BODY_BYTES_MAX, forceCloseConnections: true, logger: false });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addHook('onReady', () => parts.rest.load());
  app.route({
    method: METHODS,
    url: '/*',
    exposeHeadRoute: false,
    handler: (request, reply) => serve(parts, request, reply),
  });
  return app;
}

async function serve(parts: AppParts, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { site, engine } = parts;
  const { host, basePath } = site.settings;
  const [rawPath = '/', search = ''] = splitUrl(request.url);
  if (site.settings.controlRoutes && rawPath.startsWith('/__sandbox/')) {
    return parts.handleControl(request, reply, rawPath.slice('/__sandbox/'.length));
  }
  if (host.redirectTo !== null) return reply.code(301).header('location', `${host.redirectTo}${request.url}`).send('');
  if (host.maintenance) {
    reply.header('retry-after', '600');
    // To whoever accepts JSON, WordPress 6.9 says it so.
    if (/\bapplication\/json\b/.test(request.headers.accept ?? ''))
      return reply.status(503).send({
        code: 'wp_die',
        message: 'Briefly unavailable for scheduled maintenance. Check back in a minute.',
        data: { status: 503 },
        additional_errors: [],
      });
    return html(reply, 503, 'Maintenance', 'Briefly unavailable for scheduled maintenance. Check back in a minute.');
  }
  if (basePath !== '' && rawPath !== basePath && !rawPath.startsWith(`${basePath}/`)) return notFound(reply);
  const path = rawPath.slice(basePath.length) || '/';
  const query = parseQuery(search);
  engine.requestArrived();
  const route = restRoute(site, path, query);
  if (route === null) return servePage(reply, path);
  return serveRest(parts, request, reply, route, query);
}

function splitUrl(url: string): [string, string] {
  const mark = url.indexOf('?');
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

/** The WordPress route of an address, in the pretty form or as `?rest_route=`; null for a page of the shop. */
function restRoute(site: Site, path: string, query: JsonObject): string | null {
  const plain = query['rest_route'];
  if (typeof plain === 'string' && plain !== '') return trimSlash(plain);
  if (!site.settings.prettyPermalinks || (path !== '/wp-json' && !path.startsWith('/wp-json/'))) return null;
  try {
    return trimSlash(decodeURIComponent(path.slice('/wp-json'.length)) || '/');
  } catch {
    return '/(malformed)';
  }
}

function trimSlash(route: string): string {
  const trimmed = route.replace(/\/+$/, '');
  return trimmed.startsWith('/') ? trimmed : `/${trimmed}`;
}

async function serveRest(
  parts: AppParts,
  request: FastifyRequest,
  reply: FastifyReply,
  route: string,
  query: JsonObject,
): Promise<unknown> {
  const { site, rest, engine, stats } = parts;
  const receivedAtMs = performance.timeOrigin + performance.now();
  const method = overriddenMethod(request, query);
  const pattern = rest.describe(method, route);
  const body = typeof request.body === 'string' ? request.body : '';
  const fault = parts.fault.hook?.({ method, route: pattern, url: request.url, body });
  reply.raw.once('finish', () => {
    const answeredAtMs = performance.timeOrigin + performance.now();
    stats.record({ method, route: pattern, status: reply.statusCode, receivedAtMs, answeredAtMs });
  });
  const early = await applyFault(site, request, reply, fault, 'before');
  if (early) {
    stats.count(method, pattern, reply.statusCode);
    return early.done;
  }
  const { rest_route: _route, ...cleanQuery } = query;
  const isRevoked = fault?.kind === 'key_revoked';
  const response = await answer(rest, {
    method,
    url: isRevoked ? '' : request.url,
    route,
    query: isRevoked ? withoutKeys(cleanQuery) : cleanQuery,
    contentType: request.headers['content-type'] ?? '',
    body,
    authorization: isRevoked ? undefined : request.headers.authorization,
    isHttps: request.headers['x-forwarded-proto'] === 'https',
  });
  engine.requestEnded();
  if (site.settings.host.latencyMs > 0) await pause(site, site.settings.host.latencyMs);
  const late = await applyFault(site, request, reply, fault, 'after');
  stats.count(method, pattern, late ? reply.statusCode : response.status);
  if (late) return late.done;
  const { pageFor404 } = site.settings.host;
  const isEnveloped = query['_envelope'] !== undefined;
  if (pageFor404 !== null && response.status === 404 && !isEnveloped)
    return html(reply, pageFor404, 'Page not found', 'It looks like nothing was found at this location.');
  return send(site, reply, isEnveloped ? enveloped(response) : response, method === 'HEAD');
}

/** WordPress puts the whole answer into the body of one with status 200, for clients that see nothing else. */
function enveloped({ status, body, headers }: RestResponse): RestResponse {
  return { status: 200, body: { body, status, headers: { ...headers } } };
}

function withoutKeys({ consumer_key: _key, consumer_secret: _secret, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** Clients behind strict proxies send PUT as POST and say so. */
function overriddenMethod(request: FastifyRequest, query: JsonObject): string {
  if (request.method !== 'POST') return request.method;
  const header = request.headers['x-http-method-override'];
  return (toText(query['_method']) || (typeof header === 'string' ? header : '') || request.method).toUpperCase();
}

async function answer(rest: RestServer, call: RestCall): Promise<RestResponse> {
  try {
    return await rest.dispatch(call);
  } catch (error) {
    if (error instanceof RestError) return { status: error.status, body: error.body(), headers: error.headers };
    throw error;
  }
}

function send(site: Site, reply: FastifyReply, response: RestResponse, isHead: boolean): FastifyReply {
  const api = `<${site.restUrl('/')}>; rel="https://api.w.org/"`;
  reply
    .code(response.status)
    .headers({
      'content-type': 'application/json; charset=UTF-8',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
      ...response.headers,
    })
    .header('link', [api, ...(response.links ?? [])]);
  return reply.send(isHead ? '' : phpJson(response.body));
}

/** A fault that answered, or will never answer: `done` is what the handler returns. */
async function applyFault(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  fault: Fault | undefined,
  when: 'before' | 'after',
): Promise<{ done: unknown } | null> {
  if (!fault || fault.kind === 'key_revoked') return null;
  if ((fault.when ?? 'before') !== when) return null;
  if (fault.kind === 'hang') {
    if (fault.ms === undefined) await new Promise(() => {});
    await pause(site, fault.ms ?? 0);
    return null;
  }
  if (fault.kind === 'drop') {
    reply.hijack();
    request.raw.destroy();
    reply.raw.destroy(new Error('connection dropped'));
    return { done: undefined };
  }
  if (fault.retryAfterS !== undefined) reply.header('retry-after', String(fault.retryAfterS));
  if (fault.status === 500) {
    const body = phpJson(new PhpFatal().body());
    return { done: reply.code(500).header('content-type', 'application/json; charset=UTF-8').send(body) };
  }
  const title = { 403: 'Forbidden', 429: 'Too Many Requests' }[fault.status] ?? 'Server error';
  return { done: html(reply, fault.status, title, title) };
}

function pause(site: Site, ms: number): Promise<void> {
  return new Promise((resolve) => {
    site.environment.setTimer(resolve, ms);
  });
}

function servePage(reply: FastifyReply, path: string): FastifyReply {
  if (path.startsWith('/wp-content/uploads/')) return reply.header('content-type', 'image/png').send(PIXEL);
  if (path === '/wp-cron.php') return reply.code(200).send('');
  return path === '/' ? html(reply, 200, 'Shop', 'Welcome.') : notFound(reply);
}

function notFound(reply: FastifyReply): FastifyReply {
  return html(reply, 404, 'Page not found', 'It looks like nothing was found at this location.');
}

function html(reply: FastifyReply, status: number, title: string, text: string): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=UTF-8')
    .send(`<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${text}</h1></body></html>`);
}
