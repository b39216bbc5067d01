import { ErrorReply } from '../../contracts/errors.ts';
import type { Server } from '../types.ts';

/**
 * What no schema has looked at does not exist: a route without a schema of its body, query or path sees none. Errors are held to their contract
 * on every route, like replies are.
 */
export function addContracts(server: Server): void {
  server.addHook('onRoute', (route) => {
    const response = (route.schema?.response ?? {}) as Record<string, unknown>;
    if (Object.keys(response).length === 0) return;
    route.schema = { ...route.schema, response: { ...response, '4xx': ErrorReply, '5xx': ErrorReply } };
  });
  server.addHook('preHandler', async (request) => {
    const { schema, config } = request.routeOptions;
    // The web app's files have addresses of their own; a webhook's bytes are looked at by their signature.
    if (config.isRaw === true) return;
    if (schema?.body === undefined) request.body = undefined;
    if (schema?.querystring === undefined) request.query = {};
    if (schema?.params === undefined) request.params = {};
  });
}
