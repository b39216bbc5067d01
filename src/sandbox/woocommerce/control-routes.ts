import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Controls } from './controls.ts';
import type { Stats } from './stats.ts';

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** `GET /__sandbox/stats`, and `POST /__sandbox/<control>` with the list of arguments as JSON. Loopback only. */
export function controlHandler(controls: Controls, stats: Stats) {
  return async (request: FastifyRequest, reply: FastifyReply, name: string): Promise<unknown> => {
    reply.header('content-type', 'application/json; charset=UTF-8');
    if (!LOOPBACK.has(request.ip)) return reply.code(403).send('{"error":"loopback only"}');
    if (request.method === 'GET' && name === 'stats') return reply.send(JSON.stringify(statsView(stats)));
    if (request.method !== 'POST') return reply.code(404).send('{"error":"no such control"}');
    try {
      const args: unknown = typeof request.body === 'string' && request.body !== '' ? JSON.parse(request.body) : [];
      const result = await run(controls, stats, name, Array.isArray(args) ? args : [args]);
      return reply.send(JSON.stringify({ result: result ?? null }));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return reply.code(400).send(JSON.stringify({ error: message }));
    }
  };
}

async function run(controls: Controls, stats: Stats, name: string, args: readonly unknown[]): Promise<unknown> {
  if (name === 'record') {
    stats.isRecording = args[0] !== false;
    return statsView(stats);
  }
  if (name === 'resetStats') return stats.reset();
  if (!Object.hasOwn(controls, name)) throw new Error(`no control ${name}`);
  const control = controls[name as keyof Controls] as (...args: readonly unknown[]) => unknown;
  return await control(...args);
}

function statsView(stats: Stats) {
  const { total, calls, statuses, times, isRecording } = stats;
  return { total, calls, statuses, isRecording, times };
}
