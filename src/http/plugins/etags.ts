import { createHash } from 'node:crypto';
import type { Server } from '../types.ts';

/** What is read again and has not changed is not sent again. Answers about a person's account are never kept by anyone. */
export function addEtags(server: Server): void {
  server.addHook('onSend', async (request, reply, payload) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const { url = '' } = request.routeOptions;
    if (!isRead || reply.statusCode !== 200 || typeof payload !== 'string' || !isRepeated(url)) return payload;
    const etag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`;
    reply.header('etag', etag).header('cache-control', 'private, no-cache').header('vary', 'authorization');
    if (!isMatch(request.headers['if-none-match'], etag)) return payload;
    reply.code(304).removeHeader('content-type').removeHeader('content-length');
    return '';
  });
}

const ABOUT_PEOPLE = /^\/api\/(auth|user|workspaces?|invitations|instance)(\/|$)/;

function isRepeated(url: string): boolean {
  return url.startsWith('/api/') && !ABOUT_PEOPLE.test(url) && url !== '/api/health';
}

function isMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => one.trim() === '*' || strong(one) === strong(etag));
}

function strong(etag: string): string {
  return etag.trim().replace(/^W\//, '');
}
