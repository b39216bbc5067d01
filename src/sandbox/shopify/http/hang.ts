import type { FastifyReply } from 'fastify';
import type { SandboxState } from '../state.ts';

const HANG_MS_DEFAULT = 120_000;

/** Replies that will never be answered; closing the sandbox cuts them, so that no server waits for them. */
const held = new WeakMap<SandboxState, Set<FastifyReply>>();

export function holdConnection(state: SandboxState, reply: FastifyReply, hangMs = HANG_MS_DEFAULT): FastifyReply {
  const waiting = held.get(state) ?? new Set();
  held.set(state, waiting);
  waiting.add(reply);
  state.schedule(() => {
    if (waiting.delete(reply)) cutConnection(reply);
  }, hangMs);
  reply.hijack();
  return reply;
}

export function cutConnection(reply: FastifyReply): FastifyReply {
  if (!reply.sent) reply.hijack();
  const { socket } = reply.raw;
  // In-process requests have no socket: the response object itself is what can break.
  if (socket && !socket.destroyed) socket.destroy();
  reply.raw.destroy(new Error('sandbox cut the connection'));
  return reply;
}

export function cutAllHeld(state: SandboxState): void {
  for (const reply of held.get(state) ?? []) cutConnection(reply);
  held.delete(state);
}
