import type { Server } from '../types.ts';

/** Which methods the API answers to at a path, for those who came with another; empty where there is nothing. Ask it once all routes are there. */
export type MethodFinder = (path: string) => readonly string[];

/** Takes note of every route under /api that is added from here on. */
export function addMethodList(server: Server): MethodFinder {
  const known = new Map<string, { readonly parts: readonly string[]; readonly methods: Set<string> }>();
  server.addHook('onRoute', ({ url, method }) => {
    if (!url.startsWith('/api/')) return;
    const entry = known.get(url) ?? { parts: partsOf(url), methods: new Set<string>() };
    for (const one of [method].flat()) entry.methods.add(one);
    known.set(url, entry);
  });
  return (path) => {
    const parts = partsOf(path);
    const found = [...known.values()].filter(
      (route) =>
        route.parts.length === parts.length &&
        route.parts.every((part, index) => part.startsWith(':') || part === parts[index]),
    );
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
  };
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter(Boolean);
}
