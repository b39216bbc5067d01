import { readFile } from 'node:fs/promises';
import { basename, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { transform } from 'lightningcss';

/** The text of every CSS module that a build met, by its path from the repository's root. */
export type CssByModule = Map<string, string>;

const LAYERS = ['kit', 'page'] as const;

/** The CSS of some modules in one text, each layer wrapped once. */
export function joinModules(names: readonly string[], modules: CssByModule): string {
  return LAYERS.map((layer) => {
    const css = names.filter((name) => layerOf(name) === layer).map((name) => modules.get(name) ?? '');
    return css.length === 0 ? '' : `@layer ${layer}{${css.join('')}}`;
  }).join('');
}

/** Components lie under pages, so that a page may adjust what it uses whatever order the files arrive in. */
function layerOf(path: string): (typeof LAYERS)[number] {
  return path.startsWith('web/components/') ? 'kit' : 'page';
}

/**
 * `x.module.css` becomes a map from local to real class names; its CSS is put aside in `collected`.
 * Names come from the file, not from the build, so that a prerendered page and the browser's bundle agree.
 */
export function cssModules(root: string, collected: CssByModule): Plugin {
  return {
    name: 'css-modules',
    setup(build) {
      build.onLoad({ filter: /\.module\.css$/ }, async ({ path }) => {
        const name = relative(root, path).replaceAll('\\', '/');
        const prefix = basename(path, '.module.css');
        for (const other of collected.keys()) {
          if (other !== name && basename(other, '.module.css') === prefix)
            throw new Error(`Class names come from file names: ${name} and ${other} must not share theirs`);
        }
        const { code, exports } = transform({
          filename: name,
          projectRoot: root,
          code: await readFile(path),
          cssModules: { pattern: `${prefix}_[local]` },
          minify: true,
        });
        collected.set(name, Buffer.from(code).toString('utf8'));
        const classes = Object.fromEntries(
          Object.entries(exports ?? {}).map(([local, { name: real, composes }]) => [
            local,
            [real, ...composes.map((other) => other.name)].join(' '),
          ]),
        );
        return { contents: `export default ${JSON.stringify(classes)}`, loader: 'js' };
      });
    },
  };
}
