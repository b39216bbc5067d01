import type { FastifyReply, FastifyRequest } from 'fastify';
import { auditRequest } from '../../accounts/audit.ts';
import type { HttpDeps } from '../deps.ts';
import { deviceOf } from '../device.ts';
import type { Server } from '../types.ts';

/** Records what the policy table names, once it has happened and before it is answered. */
export function addAudit(server: Server, deps: HttpDeps): void {
  server.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply, payload) => {
    const action = request.routeOptions.config.policy?.audit;
    if (action === undefined || action === 'own' || action === 'none') return payload;
    if (request.principal === null || reply.statusCode >= 400) return payload;
    // The answer of an earlier request, given again: nothing happened now.
    if (reply.hasHeader('idempotent-replayed')) return payload;
    const target = targetOf(request, payload);
    auditRequest(deps.accounts, { principal: request.principal, action, target, device: deviceOf(request) });
    return payload;
  });
}

/** The id in the address; for what was just made, the one in the reply. */
function targetOf(request: FastifyRequest, payload: unknown): string | null {
  const { id } = (request.params ?? {}) as { readonly id?: string };
  if (id !== undefined) return id;
  return typeof payload === 'string' ? (/"_id":"([\w-]{1,64})"/.exec(payload)?.[1] ?? null) : null;
}
