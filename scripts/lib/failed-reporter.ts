import type { TestEvent } from 'node:test/reporters';

/** Which tests failed, a line of JSON each: `--test-reporter=./scripts/lib/failed-reporter.ts`. Groups that failed because a test in them did are left out. */
async function* tellFailed(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:fail') continue;
    const { name, file = '', details } = event.data;
    // What a test threw stands below what the runner makes of it.
    const { failureType, cause } = details.error as Error & { failureType?: string };
    if (failureType === 'subtestsFailed') continue;
    yield `${JSON.stringify({ name, file, why: String((cause as Error | undefined)?.stack ?? cause) })}\n`;
  }
}

// Node takes a reporter by this name alone.
export { tellFailed as default };
