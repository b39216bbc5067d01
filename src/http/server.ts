import cookie from '@fastify/cookie';
import jwt from '@fastify/jwt';
import websocket from '@fastify/websocket';
import Fastify from 'fastify';
import { createAccessTokens } from './access-token.ts';
import { createClientErrorHandler } from './client-error.ts';
import type { HttpDeps } from './deps.ts';
import { createErrorHandler } from './error-handler.ts';
import { createLiveHub } from './live/live-hub.ts';
import { addAudit } from './plugins/audit.ts';
import { addAuthentication } from './plugins/authentication.ts';
import { addBodyBudget, BODY_BYTES_MAX } from './plugins/body-budget.ts';
import { addContracts } from './plugins/contracts.ts';
import { addEtags } from './plugins/etags.ts';
import { addIdempotency } from './plugins/idempotency.ts';
import { addJsonBodies } from './plugins/json-bodies.ts';
import { addMethodList } from './plugins/method-list.ts';
import { addQuickClose, refuseWhileClosing } from './plugins/quick-close.ts';
import { addRateLimits } from './plugins/rate-limits.ts';
import { addSecurityHeaders, HEADERS_WITHOUT_ROUTE } from './plugins/security-headers.ts';
import { addUndeclaredProxyNotice } from './plugins/undeclared-proxy.ts';
import { addWebApp } from './plugins/web-app.ts';
import { activityRoutes } from './routes/activity.ts';
import { alertRoutes } from './routes/alerts.ts';
import { apiTokenRoutes } from './routes/api-tokens.ts';
import { auditRoutes } from './routes/audit.ts';
import { authRoutes } from './routes/auth.ts';
import { backupRoutes } from './routes/backups.ts';
import { conflictRoutes } from './routes/conflicts.ts';
import { contactRoutes } from './routes/contact.ts';
import { dashboardRoutes } from './routes/dashboard.ts';
import { demoRoutes } from './routes/demo.ts';
import { docsRoutes } from './routes/docs.ts';
import { endpointRoutes } from './routes/endpoints.ts';
import { healthRoutes } from './routes/health.ts';
import { instanceRoutes } from './routes/instance.ts';
import { liveRoutes } from './routes/live.ts';
import { memberRoutes } from './routes/members.ts';
import { openIdRoutes } from './routes/openid.ts';
import { pairRoutes } from './routes/pairs.ts';
import { planRoutes } from './routes/plans.ts';
import { problemRoutes } from './routes/problems.ts';
import { recordRoutes } from './routes/records.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { storeRoutes } from './routes/stores.ts';
import { syncRoutes } from './routes/sync.ts';
import { twoFactorRoutes } from './routes/two-factor.ts';
import { userRoutes } from './routes/user.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { workspaceRoutes } from './routes/workspaces.ts';
import { createSerializerCompiler, validatorCompiler } from './schema-compilers.ts';
import type { Server } from './types.ts';

const HEADERS_LIMIT_BYTES = 16 * 1024;
/** To receive all headers: whoever dribbles them holds a socket no longer. */
const HEADERS_TIMEOUT_MS = 15_000;
/** To receive a whole request. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than a reverse proxy keeps an idle connection (Caddy: two minutes), or a webhook that it sends over one would meet a closed one. */
const KEEP_ALIVE_MS = 150_000;
const WS_MESSAGE_LIMIT_BYTES = 16 * 1024;

/** The server with all its routes, not yet listening. Close it to end its sockets and live connections. */
export async function createHttpServer(deps: HttpDeps): Promise<Server> {
  const handleError = createErrorHandler(deps.log);
  const limits = { maxHeaderSize: HEADERS_LIMIT_BYTES, headersTimeout: HEADERS_TIMEOUT_MS };
  const server = Fastify({
    logger: false,
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    ...(deps.tls === null ? { http: limits } : { https: { ...limits, ...deps.tls, minVersion: 'TLSv1.2' } }),
    keepAliveTimeout: KEEP_ALIVE_MS,
    genReqId: () => deps.random.id('req_'),
    // Addresses that are no addresses fail before there is a route.
    frameworkErrors: (error, request, reply) => {
      handleError(error, request, reply.headers({ ...HEADERS_WITHOUT_ROUTE, 'x-request-id': request.id }));
    },
    clientErrorHandler: createClientErrorHandler(() => deps.random.id('req_')),
    forceCloseConnections: 'idle',
    // Its words have another form than ours: see refuseWhileClosing.
    return503OnClosing: false,
    // Programs join addresses by hand: a slash too many asks for the same.
    routerOptions: { maxParamLength: 128, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
  }) as Server;
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(createSerializerCompiler(deps.log, deps.isStrict));
  server.setErrorHandler(handleError);
  addJsonBodies(server);
  addRequestLog(server, deps);
  addUndeclaredProxyNotice(server, deps.log, deps.trustedProxies);
  const findMethods = addMethodList(server);
  const isClosing = addQuickClose(server);

  await addSecurityHeaders(server, deps.tls !== null || deps.publicUrl?.startsWith('https:') === true, deps.publicUrl);
  refuseWhileClosing(server, isClosing);
  await addRateLimits(server);
  await server.register(cookie);
  await server.register(jwt, {
    secret: deps.jwtSecret,
    sign: { algorithm: 'HS256' },
    verify: { algorithms: ['HS256'] },
  });
  await server.register(websocket, { options: { maxPayload: WS_MESSAGE_LIMIT_BYTES } });
  const tokens = createAccessTokens(server, () => deps.clock.now());
  addAuthentication(server, deps, tokens);
  addBodyBudget(server);

  addContracts(server);
  addIdempotency(server, deps);
  addAudit(server, deps);
  addEtags(server);
  const hub = createLiveHub(deps);
  server.addHook('preClose', async () => hub.close());

  healthRoutes(server, deps, isClosing);
  contactRoutes(server, deps);
  docsRoutes(server, deps);
  authRoutes(server, deps, tokens);
  openIdRoutes(server, deps, tokens);
  twoFactorRoutes(server, deps);
  sessionRoutes(server, deps);
  userRoutes(server, deps);
  workspaceRoutes(server, deps, tokens);
  memberRoutes(server, deps, tokens);
  apiTokenRoutes(server, deps);
  auditRoutes(server, deps);
  instanceRoutes(server, deps);
  backupRoutes(server, deps);
  storeRoutes(server, deps);
  pairRoutes(server, deps);
  planRoutes(server, deps);
  syncRoutes(server, deps);
  recordRoutes(server, deps);
  conflictRoutes(server, deps);
  problemRoutes(server, deps);
  activityRoutes(server, deps);
  endpointRoutes(server, deps);
  alertRoutes(server, deps);
  dashboardRoutes(server, deps);
  demoRoutes(server, deps, tokens);
  liveRoutes(server, deps, tokens, hub);
  await server.register((scope, _options, done) => {
    webhookRoutes(scope as unknown as Server, deps);
    done();
  });
  await addWebApp(server, deps.webDir, findMethods);
  return server;
}

function addRequestLog(server: Server, deps: HttpDeps): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  server.addHook('onResponse', async (request, reply) => {
    // The route, not the address: addresses may carry what nobody should read in a log.
    deps.log.debug(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });
}
