import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serveVersion, supportedVersions } from '../fields/versions.ts';
import {
  describeOperation,
  type GraphqlRequest,
  internalError,
  runRequest,
  throttledBody,
} from '../graphql/run-request.ts';
import type { SandboxState } from '../state.ts';
import { recordCall, type SandboxStats } from '../stats.ts';
import type { Fault, FaultSwitch } from './faults.ts';
import { cutConnection, holdConnection } from './hang.ts';

const BAD_TOKEN = { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' };

export interface RouteParts {
  readonly state: SandboxState;
  readonly stats: SandboxStats;
  readonly faults: FaultSwitch;
}

function isTokenValid(state: SandboxState, token: unknown): boolean {
  const expiresAt = typeof token === 'string' ? state.tokens.get(token) : undefined;
  return expiresAt !== undefined && state.environment.now() < expiresAt;
}

export function addGraphqlRoute(app: FastifyInstance, parts: RouteParts): void {
  const { state } = parts;
  app.post('/admin/api/:version/graphql.json', async (request, reply) => {
    const asked = (request.params as { version: string }).version;
    const version = serveVersion(asked, state.environment.now());
    reply.header('X-Request-Id', randomUUID());
    if (version === null) return reply.status(404).send({ errors: 'Not Found' });
    reply.header('X-Shopify-API-Version', version);
    if (version !== asked)
      reply.header(
        'X-Shopify-API-Deprecated-Reason',
        'https://shopify.dev/api/usage/versioning#making-requests-to-an-api-version',
      );
    if (!isTokenValid(state, request.headers['x-shopify-access-token'])) return reply.status(401).send(BAD_TOKEN);
    const parsed = parseBody(request.body);
    if (!parsed) return reply.status(400).send({ errors: { query: 'Required parameter missing or invalid' } });
    return answer(parts, parsed, version, request, reply);
  });
  // Without a version the oldest supported one answers.
  app.post('/admin/api/graphql.json', async (_request, reply) =>
    reply.redirect(`/admin/api/${supportedVersions(state.environment.now())[0]}/graphql.json`, 307),
  );
}

function parseBody(body: unknown): GraphqlRequest | null {
  if (typeof body !== 'object' || body === null) return null;
  const { query, variables, operationName } = body as { query?: unknown; variables?: unknown; operationName?: unknown };
  if (typeof query !== 'string' || query.trim() === '') return null;
  let given: unknown = variables;
  if (typeof variables === 'string') {
    try {
      given = JSON.parse(variables);
    } catch {
      return null;
    }
  }
  return {
    query,
    variables: typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {},
    operationName: typeof operationName === 'string' ? operationName : null,
  };
}

async function answer(
  parts: RouteParts,
  graphql: GraphqlRequest,
  version: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { state, stats, faults } = parts;
  const described = describeOperation(graphql);
  Object.assign(request, { operationName: described.name });
  const fault = faults.pick({
    kind: described.kind,
    operation: described.name,
    rootFields: described.rootFields,
    variables: graphql.variables,
  });
  if (fault && !happensAfter(fault) && fault.kind !== 'slow') {
    recordCall(stats, described.name, {
      requestedCost: 0,
      actualCost: 0,
      outcome: fault.kind === 'throttled' ? 'throttled' : 'errors',
    });
    return sendFault(state, fault, reply);
  }
  const result = await runRequest(state, graphql, version);
  recordCall(stats, described.name, result);
  if (fault?.kind === 'slow') await new Promise<void>((resolve) => state.schedule(resolve, fault.delayMs));
  else if (fault) return sendFault(state, fault, reply);
  return reply.send(result.body);
}

function happensAfter(fault: Fault): boolean {
  return 'when' in fault && fault.when === 'after';
}

export async function sendFault(state: SandboxState, fault: Fault, reply: FastifyReply): Promise<unknown> {
  switch (fault.kind) {
    case 'status':
      if (fault.retryAfterSeconds !== undefined) reply.header('Retry-After', fault.retryAfterSeconds.toFixed(1));
      return reply.status(fault.status).send(
        fault.body ?? {
          errors:
            fault.status === 429
              ? 'Exceeded 2 calls per second for api client. Reduce request rates to resume uninterrupted service.'
              : 'Sandbox fault',
        },
      );
    case 'token_revoked':
      state.tokens.clear();
      return reply.status(401).send(BAD_TOKEN);
    case 'throttled':
      return reply.send(throttledBody(0, state.bucket.status()));
    case 'internal_error':
      return reply.send({ errors: [internalError()] });
    case 'timeout':
      return holdConnection(state, reply, fault.hangMs);
    case 'reset':
      return cutConnection(reply);
    case 'slow':
      return reply.send({});
  }
}
