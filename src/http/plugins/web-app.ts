import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../ports/log.ts';
import { AppError } from '../app-error.ts';
import { answerTo, errorReply } from '../error-handler.ts';
import type { Server } from '../types.ts';

/** File names with a hash of their content in them, as the build writes them: they never change. */
const HASHED = /-[A-Z0-9]{8,}\.[a-z0-9.]+$/i;
const YEAR_S = 31_536_000;

/** Serves the built web app; any page address answers with the app, which finds its own way. Under /api an unknown address stays a 404. */
export async function addWebApp(server: Server, webDir: string | null, log: Log): Promise<void> {
  if (webDir !== null) {
    await server.register(fastifyStatic, {
      root: webDir,
      preCompressed: true,
      cacheControl: false,
      etag: true,
      index: false,
      setHeaders: (reply, path) => {
        const name = path.replace(/\.(br|gz)$/, '');
        reply.header(
          'cache-control',
          HASHED.test(name) ? `public, max-age=${YEAR_S}, immutable` : 'public, max-age=0, must-revalidate',
        );
      },
    });
    log.debug({ webDir: join(webDir) }, 'serving the web app');
  }
  server.setNotFoundHandler((request, reply) => {
    if (webDir !== null && isPage(request)) return sendPage(reply);
    const answer = answerTo(new AppError('NOT_FOUND', notFoundText(request, webDir)));
    return reply.code(404).type('application/json; charset=utf-8').send(errorReply(answer, request.id));
  });
}

function isPage(request: FastifyRequest): boolean {
  const path = request.url.split('?')[0] ?? '';
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (path === '/api' || path.startsWith('/api/')) return false;
  // A picture or a script that is missing is missing; only pages are the app's to answer.
  return !/\.[a-z0-9]{1,8}$/i.test(path);
}

function sendPage(reply: FastifyReply): FastifyReply {
  return reply.code(200).header('cache-control', 'no-cache').sendFile('index.html');
}

function notFoundText(request: FastifyRequest, webDir: string | null): string {
  if (webDir === null && !request.url.startsWith('/api')) return 'The web app is not built: run "npm run build".';
  return 'There is nothing at this address.';
}
