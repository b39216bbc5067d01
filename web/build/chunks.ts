import { basename, dirname } from 'node:path';
import type { Metafile } from 'esbuild';

type Output = Metafile['outputs'][string];

/** Every output that arrives together with `path`: itself and what it imports statically, imports first. */
export function staticClosure(outputs: Metafile['outputs'], path: string, seen = new Set<string>()): string[] {
  if (seen.has(path)) return [];
  seen.add(path);
  const output = outputs[path];
  if (!output) return [];
  const before = output.imports
    .filter((edge) => edge.kind === 'import-statement' && !edge.external)
    .flatMap((edge) => staticClosure(outputs, edge.path, seen));
  return [...before, path];
}

/** The output built from one source file as an entry or a lazy import. */
export function outputOf(outputs: Metafile['outputs'], entryPoint: string): string {
  const found = Object.entries(outputs).find(([, output]: [string, Output]) => output.entryPoint === entryPoint);
  if (!found) throw new Error(`The build made nothing of ${entryPoint}`);
  return found[0];
}

/** CSS modules inside one output, in the order of its sources. */
export function cssModulesIn(output: Output | undefined): string[] {
  return Object.keys(output?.inputs ?? {}).filter((input) => input.endsWith('.module.css'));
}

const PART = /^web\/(pages\/.*(-page|-panel|\/shell|\/site-frame)|query-root)\.tsx$/;

/** Whether an output is a page, a panel of one, or what pages stand in: each is in the list of parts by name, with styles of its own. */
export function isPart(entryPoint: string | undefined): boolean {
  return entryPoint !== undefined && PART.test(entryPoint);
}

/** Outputs that a part asks for when it needs them and that are no parts themselves: from its own folder, or components. */
export function ownLazyParts(outputs: Metafile['outputs'], path: string): string[] {
  const folder = dirname(outputs[path]?.entryPoint ?? '');
  return staticClosure(outputs, path)
    .flatMap((part) => outputs[part]?.imports ?? [])
    .filter(({ kind, path: target }) => kind === 'dynamic-import' && isIn(folder, outputs[target]?.entryPoint))
    .map(({ path: target }) => target);
}

function isIn(folder: string, entryPoint: string | undefined): boolean {
  return entryPoint !== undefined && !isPart(entryPoint) && [folder, 'web/components'].includes(dirname(entryPoint));
}

/** `login-page` of `dist/web/assets/login-page-ABCDEFGH.js`. */
export function pageOf(path: string): string {
  return basename(path).replace(/-\w+\.js$/, '');
}
