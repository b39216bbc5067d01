import { type Static, Type } from 'typebox';
import type { HttpDeps } from '../deps.ts';
import { DOCS_STYLE, renderDocs } from '../docs-page.ts';
import { describeApi } from '../openapi.ts';
import { renderClient } from '../render-client.ts';
import type { Server } from '../types.ts';

const Description = Type.Record(Type.String(), Type.Unknown());

/** The API's description, for programs and for people. Nothing in it is about anyone, and nothing is loaded from elsewhere. */
export function docsRoutes(server: Server, deps: HttpDeps): void {
  // Made when somebody first asks, and kept as text: routes do not change while the server runs, and anybody may ask, however often.
  const kept = new Map<string, string>();
  const once = (name: string, make: () => string): string => {
    const made = kept.get(name) ?? make();
    kept.set(name, made);
    return made;
  };
  const description = () => describeApi(server.knownRoutes, deps.version, deps.publicUrl);

  server.get('/api/openapi.json', { schema: { response: { 200: Description } } }, async (_request, reply) => {
    // Text is sent as it is.
    const described: unknown = once('openapi.json', () => JSON.stringify(description()));
    return reply.type('application/json; charset=utf-8').send(described as Static<typeof Description>);
  });

  server.get('/api/client.ts', { schema: text('text/plain') }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(once('client.ts', () => renderClient(description()))),
  );

  server.get('/api/docs', { schema: text('text/html') }, async ({ url }, reply) => {
    const up = url.split('?', 1)[0]?.endsWith('/') ? '../' : './';
    const page = once(`docs ${up}`, () => renderDocs(server.knownRoutes, deps.version, up));
    return reply.type('text/html; charset=utf-8').send(page);
  });

  server.get('/api/docs/style.css', { schema: text('text/css') }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(DOCS_STYLE),
  );
}

function text(type: string) {
  return { response: { 200: { content: { [type]: { schema: Type.String() } } } } };
}
