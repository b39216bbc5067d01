import type { TestEvent } from 'node:test/reporters';

/** Why tests (or whole groups of them) were skipped, a line of JSON each: `--test-reporter=./scripts/lib/skipped-reporter.ts`. */
async function* tellSkipped(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:pass' || event.data.skip === undefined) continue;
    yield `${JSON.stringify(String(event.data.skip))}\n`;
  }
}

// Node takes a reporter by this name alone.
export { tellSkipped as default };
