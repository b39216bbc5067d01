import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Loader, Plugin } from 'esbuild';

/** What each icon of the package is made by, in place of the package's own factory. */
const FACTORY = {
  dir: join(import.meta.dirname, '../components'),
  text: "export { createIcon as default } from './create-icon.ts';",
};
const ICONS = /import \{([^}]*)\} from 'lucide-react';/g;

/**
 * Imports each icon from its own file. Through the package's one entrance every part of the app would download all icons that
 * any part uses: code is split by files, and the entrance is one that everybody shares.
 */
export function singleIcons(source: string): string {
  return source.replace(ICONS, (_, names: string) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => `import ${name} from 'lucide-react/icons/${fileOf(name)}';`)
      .join(' '),
  );
}

/** `circle-check` of `CircleCheck`. */
function fileOf(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z])(?=\d)/g, '-').toLowerCase();
}

/** The build's part of `singleIcons`; what draws them is our own factory. */
export function singleIconsPlugin(): Plugin {
  return {
    name: 'single-icons',
    setup(build) {
      build.onLoad({ filter: /createLucideIcon\.mjs$/ }, () => ({ contents: FACTORY.text, resolveDir: FACTORY.dir }));
      build.onLoad({ filter: /[/\\]web[/\\].*\.tsx?$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        return { contents: singleIcons(source), loader: extname(path).slice(1) as Loader };
      });
    },
  };
}
