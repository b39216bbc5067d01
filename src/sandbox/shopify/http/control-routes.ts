import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SandboxControls } from '../controls/controls.ts';
import type { SandboxStats } from '../stats.ts';

/** `POST /__sandbox/<control>` with a JSON array of arguments; `GET /__sandbox/stats`. For the owner of the machine only. */
export function addControlRoutes(app: FastifyInstance, controls: SandboxControls, stats: SandboxStats): void {
  const callable = new Map<string, (...args: never[]) => unknown>(
    Object.entries(controls).filter(([, control]) => typeof control === 'function'),
  );

  app.get('/__sandbox/stats', async (request, reply) => {
    if (!isLoopback(request)) return reply.status(403).send({ error: 'loopback only' });
    return reply.send(stats);
  });
  app.post('/__sandbox/:control', async (request, reply) => {
    if (!isLoopback(request)) return reply.status(403).send({ error: 'loopback only' });
    const { control } = request.params as { control: string };
    if (control === 'resetStats') {
      stats.reset();
      return reply.send({ result: null });
    }
    const run = callable.get(control);
    if (!run) return reply.status(404).send({ error: `no control ${control}`, controls: [...callable.keys()] });
    const args = Array.isArray(request.body)
      ? request.body
      : request.body === undefined || request.body === null
        ? []
        : [request.body];
    try {
      const result = await run(...(args as never[]));
      return reply.send({ result: result ?? null });
    } catch (error) {
      return reply.status(422).send({ error: error instanceof Error ? error.message : String(error) });
    }
  });
}

function isLoopback(request: FastifyRequest): boolean {
  return request.ip === '127.0.0.1' || request.ip === '::1' || request.ip === '::ffff:127.0.0.1';
}
