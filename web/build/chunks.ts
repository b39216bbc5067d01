import { basename } from 'node:path';
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

/** `login-page` of `dist/web/assets/login-page-ABCDEFGH.js`. */
export function pageOf(path: string): string {
  return basename(path).replace(/-\w+\.js$/, '');
}
