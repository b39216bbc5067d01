import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import { answerTo, errorReply } from '../error-handler.ts';
import type { Server } from '../types.ts';
import type { MethodFinder } from './method-list.ts';
import { createPageFinder } from './page-list.ts';

/** File names with a hash of their content in them, as the build writes them: they never change. */
const HASHED = /-[A-Z0-9]{8,}\.[a-z0-9.]+$/i;
const YEAR_S = 31_536_000;

/**
 * Serves the built web app: pages that were drawn at build time, the app for its other addresses, and its 404 page for the rest.
 * Under /api an unknown address stays a 404 of the API, and a known one that is asked in another way is told how it can be asked.
 */
export async function addWebApp(server: Server, webDir: string | null, findMethods: MethodFinder): Promise<void> {
  const notFound = createNotFound(webDir, findMethods);
  server.setNotFoundHandler(notFound);
  // Answered before a body is taken in.
  server.addHook('onRequest', async (request, reply) => (request.is404 ? notFound(request, reply) : undefined));
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
    if (path === 'api' || path.startsWith('api/')) return notFound(request, reply);
    if (isFile(path)) return reply.sendFile(path);
    const { file, status } = findPage(path);
    return reply.code(status).sendFile(file);
  });
}

/** A picture or a script that is missing is missing; only pages are the app's to answer. */
function isFile(path: string): boolean {
  return /\.[a-z0-9]{1,8}$/i.test(path);
}

function createNotFound(webDir: string | null, findMethods: MethodFinder) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const methods = findMethods(request.url.split('?', 1)[0] ?? '');
    // Answered in this way and not found: the router took a part of the address for no id.
    const isOther = methods.length > 0 && !methods.includes(request.method);
    if (isOther) reply.header('allow', methods.join(', '));
    const answer = answerTo(isOther ? otherMethod(request.method, methods) : nothingThere(request.url, webDir));
    return reply.code(answer.status).type('application/json; charset=utf-8').send(errorReply(answer, request.id));
  };
}

function otherMethod(method: string, methods: readonly string[]): AppError {
  return new AppError('METHOD_NOT_ALLOWED', `${method} is not answered at this address: use ${methods.join(' or ')}.`);
}

function nothingThere(url: string, webDir: string | null): AppError {
  const isUnbuilt = webDir === null && !url.startsWith('/api');
  return new AppError(
    'NOT_FOUND',
    isUnbuilt ? 'The web app is not built: run "npm run build".' : 'There is nothing at this address.',
  );
}
