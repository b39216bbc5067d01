import { describe } from 'node:test';
import type { MakeHarness } from './harness.ts';
import { makeRule, type Rule } from './rule.ts';
import { changeRules } from './rules/changes.ts';
import { deliveryOfWritesRules } from './rules/delivery-of-writes.ts';
import { failureRules } from './rules/failures.ts';
import { fieldMatrixRules } from './rules/field-matrix.ts';
import { findingRules } from './rules/finding.ts';
import { idRules } from './rules/ids.ts';
import { readRules } from './rules/reads.ts';
import { refusalRules } from './rules/refusals.ts';
import { representRules } from './rules/represent.ts';
import { scanRules } from './rules/scan.ts';
import { secretRules } from './rules/secrets.ts';
import { stockRules } from './rules/stock.ts';
import { unitRules } from './rules/units.ts';
import { variantWriteRules } from './rules/variant-writes.ts';
import { webhookRules } from './rules/webhooks.ts';
import { writeBatchRules } from './rules/write-batches.ts';
import { writeRules } from './rules/writes.ts';

const GROUPS: readonly ((rule: Rule) => void)[] = [
  readRules,
  unitRules,
  stockRules,
  writeRules,
  variantWriteRules,
  writeBatchRules,
  deliveryOfWritesRules,
  failureRules,
  findingRules,
  scanRules,
  changeRules,
  webhookRules,
  representRules,
  refusalRules,
  fieldMatrixRules,
  idRules,
  secretRules,
];

export interface ContractOptions {
  /** The rules that another way to the same platform has to keep. */
  readonly groups?: readonly ((rule: Rule) => void)[];
  /** Longer where time is real, and each wait before a repeat is waited out. */
  readonly timeoutMs?: number;
}

/**
 * Registers the contract of `src/ports/connector.ts` as node:test tests, titled with the ids of the rules that they hold. Call it from
 * `src/connectors/<platform>/contract.test.ts` with a harness of that platform; see `harness.ts`. A rule that a harness can't
 * hold is skipped with its reason, never passed in silence.
 */
export function describeConnectorContract(
  name: string,
  makeHarness: MakeHarness,
  { groups = GROUPS, timeoutMs }: ContractOptions = {},
): void {
  describe(`connector contract: ${name}`, { concurrency: 1 }, () => {
    const rule = makeRule(makeHarness, timeoutMs);
    for (const group of groups) group(rule);
  });
}
