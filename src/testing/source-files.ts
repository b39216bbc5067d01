import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** Made by tools, or not ours. */
const IGNORED = new Set(['node_modules', 'dist', 'data', 'coverage', 'screens', '.git', '.DS_Store']);

export interface SourceFile {
  /** From the root, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

export interface Import {
  /** A path from the root, or a package's name. */
  readonly target: string;
  readonly isPackage: boolean;
  readonly isTypeOnly: boolean;
}

/** Entries at the top of the repository, without what tools make. */
export function listTopLevel(): readonly string[] {
  return readdirSync(ROOT).filter((name) => !IGNORED.has(name) && !name.endsWith('.log'));
}

/** All files below the given folders, from the root, sorted. */
export function listFiles(...folders: readonly string[]): readonly string[] {
  return folders
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .filter((path) => !path.split('/').some((part) => IGNORED.has(part)))
    .sort();
}

export function readSources(...folders: readonly string[]): readonly SourceFile[] {
  return listFiles(...folders)
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path))
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return { path, text, imports: importsOf(path, text) };
    });
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.startsWith('src/testing/') || path.startsWith('web/e2e/');
}

export function isGenerated(path: string): boolean {
  return /\.gen\.ts$/.test(path) || /\.d\.ts$/.test(path);
}

/** Code without comments: rules about code must not trip over prose. Strings stay. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[\s;{}(,])\/\/.*$/gm, '$1');
}

/** At the start of a line, as our formatter leaves them; imports inside an expression are found by their call. */
const IMPORTS =
  /^(?:import|export)\s+(type\s+)?(?:[\w*\s{},$]+?\s+from\s+)?'([^'\n]+)'|\bimport\(\s*'([^'\n]+)'\s*\)/gm;

export function importsOf(path: string, text: string): readonly Import[] {
  return [...withoutComments(text).matchAll(IMPORTS)].map((match) => {
    const specifier = match[2] ?? match[3] ?? '';
    const isPackage = !specifier.startsWith('.');
    return {
      target: isPackage ? packageName(specifier) : normalize(join(dirname(path), specifier)),
      isPackage,
      isTypeOnly: match[1] !== undefined,
    };
  });
}

/** "@fastify/jwt/types.js" -> "@fastify/jwt"; "drizzle-orm/sqlite-core" -> "drizzle-orm"; Node's modules whole. */
function packageName(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}
