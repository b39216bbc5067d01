import { type TestContext, test } from 'node:test';
import type { Capabilities } from '../../ports/connector.ts';
import type { Ability, ContractHarness, HarnessRequest, InjectedFault, MakeHarness } from './harness.ts';

export interface Needs extends HarnessRequest {
  readonly abilities?: readonly Ability[];
  readonly faults?: readonly InjectedFault['type'][];
  readonly stockWrite?: readonly Capabilities['stockWrite'][];
}

/** Registers one test titled with the ids of the rules that it holds. */
export type Rule = (
  title: string,
  needs: Needs,
  body: (harness: ContractHarness, context: TestContext) => Promise<void>,
) => void;

/** A test that waits for ever on a connector must fail, not hang the run. */
const TEST_TIMEOUT_MS = 60_000;
/** A real store answers in its own time, and pauses between repeats are real: six kinds of fault on every call take two minutes. */
export const REAL_STORE_TIMEOUT_MS = 600_000;

export function makeRule(makeHarness: MakeHarness, timeoutMs = TEST_TIMEOUT_MS): Rule {
  return (title, needs, body) => {
    test(title, { timeout: timeoutMs }, async (context) => {
      const harness = await makeHarness(request(needs));
      try {
        const reason = missing(needs, harness);
        if (reason !== null) {
          context.skip(reason);
          return;
        }
        await body(harness, context);
      } finally {
        harness.faults.clear();
        await harness.close();
      }
    });
  };
}

function request(needs: Needs): HarnessRequest {
  const { currency, hugeIds, pageSize, clockSkewMs } = needs;
  return {
    ...(currency === undefined ? {} : { currency }),
    ...(hugeIds === undefined ? {} : { hugeIds }),
    ...(pageSize === undefined ? {} : { pageSize }),
    ...(clockSkewMs === undefined ? {} : { clockSkewMs }),
  };
}

/** Why this test can't be held here, or null. */
function missing(needs: Needs, harness: ContractHarness): string | null {
  const abilities: Ability[] = [...(needs.abilities ?? [])];
  if (needs.hugeIds !== undefined) abilities.push('huge_ids');
  if (needs.pageSize !== undefined) abilities.push('small_pages');
  if (needs.clockSkewMs !== undefined) abilities.push('clock_skew');
  if (needs.faults !== undefined) abilities.push('faults');
  for (const ability of abilities) {
    const reason = harness.cannot[ability];
    if (reason !== undefined) return `${ability}: ${reason}`;
  }
  for (const fault of needs.faults ?? []) {
    if (!harness.faults.supported.includes(fault)) return `faults: this harness can't inject ${fault}`;
  }
  if (needs.currency !== undefined && harness.currency !== needs.currency) {
    return `currency: the store has ${harness.currency}, the test is about ${needs.currency}`;
  }
  const { stockWrite } = harness.connector.capabilities;
  if (needs.stockWrite !== undefined && !needs.stockWrite.includes(stockWrite)) {
    return `stockWrite: the connector is ${stockWrite}, the rule is about ${needs.stockWrite.join(' and ')}`;
  }
  return null;
}
