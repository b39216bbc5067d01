import type { FastifyRequest } from 'fastify';

/** "203.0.113.7:51234", "[2001:db8::7]:443", "[2001:db8::7]" */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

/** Where a request came from, without the port that some proxies (Azure, IIS) forward with it; '' where there is no address (a unix socket). */
export function addressOf(request: FastifyRequest): string {
  const ip = (request.ip as string | undefined) ?? '';
  const [, six, four] = WITH_PORT.exec(ip) ?? [];
  return six ?? four ?? ip;
}
