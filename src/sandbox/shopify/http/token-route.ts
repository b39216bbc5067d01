import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type RouteParts, sendFault } from './graphql-route.ts';

/** Facts, section 4: the client-credentials grant gives a token for 24 hours and no refresh token. */
export function addTokenRoute(app: FastifyInstance, { state, faults }: RouteParts): void {
  app.post('/admin/oauth/access_token', async (request, reply) => {
    const body = (typeof request.body === 'object' && request.body !== null ? request.body : {}) as Record<
      string,
      unknown
    >;
    const fault = faults.pick({ kind: 'token', operation: 'access_token', rootFields: [], variables: {} });
    if (fault) return sendFault(state, fault, reply);
    const refuse = (status: number, error: string, description: string) =>
      reply.status(status).send({ error, error_description: description });
    if (body['grant_type'] !== 'client_credentials')
      return refuse(400, 'unsupported_grant_type', 'The authorization grant type is not supported.');
    if (body['client_id'] !== state.config.clientId)
      return refuse(400, 'application_cannot_be_found', 'Could not find Shopify API application with api_key');
    if (body['client_secret'] !== state.config.clientSecret)
      return refuse(400, 'invalid_client', 'Client authentication failed');
    if (state.config.clientCredentials === 'shop_not_permitted') {
      return refuse(400, 'shop_not_permitted', 'Client credentials cannot be performed on this shop.');
    }
    const token = `shpat_${randomUUID().replace(/-/g, '')}`;
    const lifeSeconds = state.config.tokenLifeSeconds;
    state.tokens.set(token, state.environment.now() + lifeSeconds * 1000);
    return reply.send({ access_token: token, scope: state.config.scopes.join(','), expires_in: lifeSeconds - 1 });
  });
}
