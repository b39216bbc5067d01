import { claimRequest, keepReply } from '../../accounts/idempotency.ts';
import { AppError } from '../app-error.ts';
import type { HttpDeps } from '../deps.ts';
import type { Server } from '../types.ts';

/** Printable ASCII; what a UUID needs and some more. */
const KEY = /^[\x21-\x7e]{1,128}$/;

/** A POST that is sent twice with one `Idempotency-Key` happens once; the second gets the answer of the first, for a day. A refusal keeps no key. */
export function addIdempotency(server: Server, { accounts }: HttpDeps): void {
  server.decorateRequest('idempotencyId', null);

  server.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    if (request.method !== 'POST' || key === undefined || request.principal === null) return;
    if (typeof key !== 'string' || !KEY.test(key)) {
      const message = 'Idempotency-Key: send 1 to 128 printable characters without spaces';
      throw new AppError('VALIDATION', message, { fields: [{ field: 'Idempotency-Key', message }] });
    }
    const { principal, body, url } = request;
    const kept = claimRequest(accounts, { principal, route: `POST ${url}`, key, body });
    if (kept.type === 'first') {
      request.idempotencyId = kept.id;
      return;
    }
    reply.header('idempotent-replayed', 'true').code(kept.status).type('application/json; charset=utf-8');
    // Already in the shape of its contract: text is sent as it is.
    return reply.send(kept.body);
  });

  server.addHook('onSend', async (request, reply, payload) => {
    if (request.idempotencyId === null) return payload;
    keepReply(accounts, request.idempotencyId, reply.statusCode, typeof payload === 'string' ? payload : '');
    return payload;
  });
}
