import type { AccessTokens } from '../access-token.ts';
import { AppError } from '../app-error.ts';
import { addressOf } from '../caller-address.ts';
import type { HttpDeps } from '../deps.ts';
import type { LiveHub } from '../live/live-hub.ts';
import { requireOwnOrigin } from '../own-origin.ts';
import type { Server } from '../types.ts';

/** The websocket. Who it is for is said in its first message, never in the address, which ends up in logs. */
export function liveRoutes(server: Server, deps: HttpDeps, tokens: AccessTokens, hub: LiveHub): void {
  server.route({
    method: 'GET',
    url: '/api/ws',
    preValidation: async (request) => {
      if (!request.ws) throw new AppError('BAD_REQUEST', 'This address speaks websocket only.');
      requireOwnOrigin(request, deps.publicUrl);
    },
    handler: async () => undefined,
    wsHandler: (socket, request) => hub.accept(socket, tokens, addressOf(request)),
  });
}
