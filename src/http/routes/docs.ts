import { Type } from 'typebox';
import type { HttpDeps } from '../deps.ts';
import { DOCS_STYLE, renderDocs } from '../docs-page.ts';
import { describeApi } from '../openapi.ts';
import { renderClient } from '../render-client.ts';
import type { Server } from '../types.ts';

const Description = Type.Record(Type.String(), Type.Unknown());

/** The API's description, for programs and for people. Nothing in it is about anyone, and nothing is loaded from elsewhere. */
export function docsRoutes(server: Server, deps: HttpDeps): void {
  // Made when somebody first asks, and kept: routes do not change while the server runs.
  let description: ReturnType<typeof describeApi> | null = null;
  let client: string | null = null;
  const described = () => {
    description ??= describeApi(server.knownRoutes, deps.version, deps.publicUrl);
    return description;
  };

  server.get('/api/openapi.json', { schema: { response: { 200: Description } } }, async () => described());

  server.get('/api/client.ts', { schema: text('text/plain') }, async (_request, reply) => {
    client ??= renderClient(described());
    return reply.type('text/plain; charset=utf-8').send(client);
  });

  server.get('/api/docs', { schema: text('text/html') }, async ({ url }, reply) => {
    const up = url.split('?', 1)[0]?.endsWith('/') ? '../' : './';
    return reply.type('text/html; charset=utf-8').send(renderDocs(server.knownRoutes, deps.version, up));
  });

  server.get('/api/docs/style.css', { schema: text('text/css') }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(DOCS_STYLE),
  );
}

function text(type: string) {
  return { response: { 200: { content: { [type]: { schema: Type.String() } } } } };
}
