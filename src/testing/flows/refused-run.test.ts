// A run and a plan read two stores: where they fail, people are told at which.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActivityReply } from '../../contracts/activity.ts';
import type { PlanWithItemsReply } from '../../contracts/plans.ts';
import type { RunReply } from '../../contracts/sync.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { startLinkedApp } from './start-linked-app.ts';
import { eventually } from './start-test-app.ts';

test('a run and a plan that a store refuses name the store, in the history, the activity and on their pages', async () => {
  using dir = makeTempDir();
  await using app = await startLinkedApp(dir.path, [{ title: 'Mug', sku: 'MUG' }]);
  const ask = async <T>(method: 'GET' | 'POST', path: string, body: object | null = null) =>
    (await app.running.call<T>(method, path, body, app.session)).body;
  app.woo.controls.setKeys([]);
  const { run } = await ask<RunReply>('POST', '/api/sync/manual', { pairId: app.pairId });
  const failed = await eventually('the failure', async () => {
    const now = (await ask<RunReply>('GET', `/api/sync/status/${run._id}`)).run;
    return now.status === 'failed' ? now : null;
  });
  const said = 'Garden Shop said “Sorry, you cannot list resources”';
  assert.deepEqual(failed.error, { code: 'UNAUTHORIZED', message: said });
  const planned = await ask<PlanWithItemsReply>('POST', `/api/pairs/${app.pairId}/plan`);
  const plan = await eventually('the failed plan', async () => {
    const { plan: now } = await ask<PlanWithItemsReply>('GET', `/api/plans/${planned.plan._id}`);
    return now.status === 'failed' ? now : null;
  });
  assert.equal(plan.error?.message, said);
  const { activity } = await ask<ActivityReply>('GET', '/api/activity?limit=50');
  const texts = activity.map(({ text }) => text);
  assert.ok(texts.includes(`Sync of Garden Shop and Garden Studio failed: ${said}`), texts.join('\n'));
  assert.ok(texts.includes(`A plan for Garden Shop and Garden Studio could not be made: ${said}`), texts.join('\n'));
  assert.ok(
    texts.includes('Garden Shop does not let us in any more: WooCommerce said “Sorry, you cannot list resources”'),
    texts.join('\n'),
  );
});
