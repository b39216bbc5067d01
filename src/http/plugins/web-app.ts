import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import { answerTo, errorReply } from '../error-handler.ts';
import type { Server } from '../types.ts';
import { createPageFinder } from './page-list.ts';

/** File names with a hash of their content in them, as the build writes them: they never change. */
const HASHED = /-[A-Z0-9]{8,}\.[a-z0-9.]+$/i;
const YEAR_S = 31_536_000;

/**
 * Serves the built web app: pages that were drawn at build time, the app for its other addresses, and its 404 page for the rest.
 * Under /api an unknown address stays a 404 of the API.
 */
export async function addWebApp(server: Server, webDir: string | null): Promise<void> {
  server.setNotFoundHandler((request, reply) => notFound(request, reply, webDir));
  if (webDir === null) return;
  await server.register(fastifyStatic, {
    root: webDir,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    etag: true,
    index: false,
    setHeaders: (reply, path) => {
      const name = path.replace(/\.(br|gz)$/, '');
      reply.header('cache-control', HASHED.test(name) ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
    },
  });
  const findPage = createPageFinder(webDir);
  server.get('/*', { config: { isRaw: true } }, (request, reply) => {
    const path = (request.params as { '*': string })['*'];
    if (path === 'api' || path.startsWith('api/')) return notFound(request, reply, webDir);
    if (isFile(path)) return reply.sendFile(path);
    const { file, status } = findPage(path);
    return reply.code(status).sendFile(file);
  });
}

/** A picture or a script that is missing is missing; only pages are the app's to answer. */
function isFile(path: string): boolean {
  return /\.[a-z0-9]{1,8}$/i.test(path);
}

function notFound(request: FastifyRequest, reply: FastifyReply, webDir: string | null): FastifyReply {
  const isUnbuilt = webDir === null && !request.url.startsWith('/api');
  const text = isUnbuilt ? 'The web app is not built: run "npm run build".' : 'There is nothing at this address.';
  const answer = answerTo(new AppError('NOT_FOUND', text));
  return reply.code(404).type('application/json; charset=utf-8').send(errorReply(answer, request.id));
}
