import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { type RunRow, run } from '../../db/schema/run.ts';
import { insertWorld } from '../../testing/http/insert-world.ts';
import { makeTestApp } from '../../testing/http/make-test-app.ts';

test('a run that failed because a host gave no answer names the store of that host, wherever runs are shown', async () => {
  await using app = await makeTestApp();
  const { headers, workspace } = app.person();
  const world = insertWorld(app.db, workspace.id, app.clock.now());
  const known = app.db.query.select().from(run).all()[0];
  assert.ok(known !== undefined);
  const errorMessage = 'nothing answers at woo.example on port 443';
  const failed = { status: 'failed', errorCode: 'UNAVAILABLE', errorMessage, startedAt: app.clock.now() + 1 } as const;
  const id = 'run_failed' as RunRow['id'];
  transact(app.db, (tx) =>
    tx.query
      .insert(run)
      .values({ ...known, id, ...failed })
      .run(),
  );
  const get = async (url: string) => (await app.server.inject({ url, headers })).json();
  const told = { code: 'UNAVAILABLE', message: `${errorMessage} (Garden Shop)` };
  assert.deepEqual((await get('/api/sync/history')).syncLogs[0].error, told);
  assert.deepEqual((await get('/api/runs/run_failed')).run.error, told);
  assert.deepEqual((await get('/api/dashboard/overview')).syncLogs[0].error, told);
  assert.equal((await get(`/api/runs/${world.runId}`)).run.error, null);
});
