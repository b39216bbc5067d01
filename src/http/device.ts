import type { FastifyRequest } from 'fastify';
import type { Device } from '../accounts/context.ts';
import { addressOf } from './caller-address.ts';

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via', 'cf-connecting-ip'];

/** Where a request came from. */
export function deviceOf(request: FastifyRequest): Device {
  return { ip: addressOf(request), userAgent: request.headers['user-agent'] ?? '', isLocal: isLocal(request) };
}

/**
 * Sent on this machine, to this machine, by its own name: no proxy or tunnel on the same machine carries it in from outside, and no page that
 * made its own name point here.
 */
function isLocal(request: FastifyRequest): boolean {
  if (!LOOPBACK.test(request.socket.remoteAddress ?? '')) return false;
  if (FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined)) return false;
  const host = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
  return LOOPBACK_NAMES.has(host);
}
