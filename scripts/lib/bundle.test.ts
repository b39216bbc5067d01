import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Metafile } from 'esbuild';
import { bundlePrograms, SERVER_PROGRAMS } from './bundle.ts';

/** Sources that stay on disk until the demo or a command asks for them. */
const LAZY = [/^src\/sandbox\//, /^src\/demo\//, /^node_modules\/graphql\//];

describe('the server bundle', () => {
  let metafile: Metafile;
  const dir = mkdtempSync(join(tmpdir(), 'bundle-'));
  before(async () => {
    metafile = await bundlePrograms(SERVER_PROGRAMS, dir);
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  /** The files that a server has loaded once it has started, with what they import of Node's own. */
  function loadedAtStart(): { readonly files: ReadonlySet<string>; readonly builtins: ReadonlySet<string> } {
    const builtins = new Set<string>();
    const loaded = new Set<string>();
    const queue = ['src/main.ts', 'src/app/serve.ts'].map((source) => {
      const start = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === source)?.[0];
      assert.ok(start, `${source} has a file of its own`);
      return start;
    });
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
      if (loaded.has(file)) continue;
      loaded.add(file);
      for (const { path, kind, external } of metafile.outputs[file]?.imports ?? []) {
        if (kind === 'import-statement') external ? builtins.add(path) : queue.push(path);
      }
    }
    return { files: loaded, builtins };
  }

  it('a server without the demo loads neither the sandbox stores nor graphql', () => {
    const sources = [...loadedAtStart().files].flatMap((file) => Object.keys(metafile.outputs[file]?.inputs ?? {}));
    const early = sources.filter((source) => LAZY.some((pattern) => pattern.test(source)));
    assert.ok(sources.includes('src/main.ts') && sources.includes('src/http/server.ts'));
    assert.deepEqual(early, []);
  });

  it('asks for Node’s http by require only: an import of it loads Node’s WebSocket client as well, 5 MB', () => {
    const { builtins } = loadedAtStart();
    assert.ok(builtins.has('node:crypto'));
    assert.equal(builtins.has('node:http'), false);
  });

  it('is plain ASCII: V8 holds a program with a single other character in twice the memory', () => {
    for (const file of globSync(join(dir, '*.mjs'))) {
      const [odd] = /[^\p{ASCII}].{0,40}/u.exec(readFileSync(file, 'utf8')) ?? [];
      assert.equal(odd, undefined, `write it by number (\\u....) in the pattern where it stands: ${odd}`);
    }
  });

  it('the demo brings them as chunks of their own', () => {
    const sources = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
    for (const pattern of LAZY)
      assert.ok(
        sources.some((source) => pattern.test(source)),
        String(pattern),
      );
  });
});
