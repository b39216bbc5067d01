// What a page of the API costs must not grow with the catalogue, the history or other workspaces: each query searches an index.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../../contracts/operations.ts';
import { createEndpoint } from '../../notify/webhooks/manage-endpoints.ts';
import { insertWorld } from '../../testing/http/insert-world.ts';
import { makeTestApp } from '../../testing/http/make-test-app.ts';
import { openMemoryDatabase } from '../../testing/support/memory-database.ts';

/** What lists are asked for, beside nothing in particular. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/api/stores': ['q=mug'],
  '/api/plans/:id': ['side=shopify', 'unlike=true', 'action=link', 'q=mug'],
  '/api/sync/history': ['status=failed', 'offset=20', 'q=mug'],
  '/api/runs/:id': ['outcome=failed', 'q=mug'],
  '/api/records': ['state=level', 'state=unlinked', 'state=conflict', 'q=mug'],
  '/api/conflicts': ['state=closed', 'q=mug', 'recordId=$record'],
  '/api/problems': [
    ...['state=closed', 'level=error', 'code=OVERSOLD', 'q=mug', 'state=closed&pairId=$pair'],
    ...['storeId=$store', 'recordId=$record'],
  ],
  '/api/activity': ['filter=errors', 'filter=orders&pairId=$pair', 'after=1', 'before=9'],
  '/api/dashboard/analytics': ['pairId=$pair'],
  '/api/sync/stats': ['pairId=$pair'],
  '/api/webhook-endpoints/:id/messages': ['status=failed'],
  '/api/workspace/audit': ['about=store'],
};

interface Step {
  readonly detail: string;
  /** What was asked for when the statement was first made. */
  readonly url: string;
  readonly sql: string;
}

async function readEverything(): Promise<readonly Step[]> {
  const db = openMemoryDatabase();
  /** By statement, the request that it was made for. */
  const statements = new Map<string, string>();
  let url = '';
  const prepare = db.connection.prepare.bind(db.connection);
  db.connection.prepare = ((sql: string) => {
    if (url !== '' && !statements.has(sql)) statements.set(sql, url);
    return prepare(sql);
  }) as typeof db.connection.prepare;
  await using app = await makeTestApp({ deps: { db } });
  const { headers, workspace } = app.person({ isInstanceAdmin: true });
  const world = insertWorld(db, workspace.id, app.clock.now());
  const form = { kind: 'events' as const, url: 'https://hooks.example/in', description: '', events: [] };
  const { endpoint } = createEndpoint(app.notify, workspace.id, form);
  const ids: Readonly<Record<string, string>> = {
    ...{ stores: world.storeIds.shopify, pairs: world.pairId, plans: world.planId, runs: world.runId },
    ...{ sync: world.runId, records: world.productId, conflicts: world.conflictId, 'webhook-endpoints': endpoint.id },
  };
  const named = (query: string) =>
    query.replace('$pair', world.pairId).replace('$store', world.storeIds.shopify).replace('$record', world.productId);
  let asked = 0;
  for (const [operation] of Object.entries(OPERATIONS)) {
    const [method, path = ''] = operation.split(' ');
    if (method !== 'GET') continue;
    for (const query of ['', ...(QUERIES[path] ?? [])]) {
      url = `${path.replace(':id', ids[path.split('/')[2] ?? ''] ?? 'none')}${query === '' ? '' : `?${named(query)}`}`;
      const { statusCode, body } = await app.server.inject({ url, headers });
      if (query !== '') assert.equal(statusCode, 200, `${url}: ${body.slice(0, 200)}`);
      if (statusCode === 200) asked += 1;
    }
  }
  assert.ok(asked > 60, `${asked} answers`);
  url = '';
  const plans: Step[] = [];
  for (const [sql, of] of statements) {
    if (!/^\s*(SELECT|WITH)/i.test(sql)) continue;
    const names = [...sql.matchAll(/[@:]([a-zA-Z]\w*)/g)].map(([, name]) => [name, null]);
    const places = [...sql.matchAll(/\?/g)].map(() => null);
    const values = names.length > 0 ? [Object.fromEntries(names)] : places;
    const steps = prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[];
    for (const { detail } of steps) plans.push({ detail, url: of, sql });
  }
  return plans;
}

/** As many as there are people; and what is read in order, and no further than a page goes. */
const SMALL = /^SCAN (user|outbox_mail USING INDEX outbox_created)$/;
/** What a query has found by itself, or an array that it was given. */
const OWN = /^SCAN (\(subquery-\d+\)|ordered|json_each .*)$/;

test('no page of the API scans a table', async () => {
  const plans = await readEverything();
  const scans = plans.filter(({ detail }) => detail.startsWith('SCAN') && !SMALL.test(detail) && !OWN.test(detail));
  assert.deepEqual(scans, []);
});

test('problems are listed in the order of an index, and counted in it, whatever they are filtered by', async () => {
  const plans = await readEverything();
  const steps = plans.filter(
    ({ url, detail }) => url.startsWith('/api/problems') && !detail.startsWith('SEARCH product'),
  );
  assert.ok(steps.length > 10);
  for (const { url, detail, sql } of steps)
    if (!url.includes('recordId'))
      assert.match(
        detail,
        /^SEARCH problem USING (COVERING )?INDEX problem_workspace \(workspace_id=\? AND state=\?\)$/,
        sql,
      );
});

test('figures over a stretch of time read that stretch of an index', async () => {
  const plans = await readEverything();
  const details = plans
    .filter(
      ({ url, detail }) => url === '/api/dashboard/analytics' && /^SEARCH (run|change|conflict|problem) /.test(detail),
    )
    .map(({ detail }) => detail);
  for (const { detail, sql } of plans)
    if (/change_written/.test(detail)) assert.match(detail, /COVERING INDEX change_written/, sql);
  assert.deepEqual(details, [
    'SEARCH run USING INDEX run_workspace (workspace_id=? AND started_at>? AND started_at<?)',
    'SEARCH change USING COVERING INDEX change_written (pair_id=? AND at>? AND at<?)',
    'SEARCH conflict USING COVERING INDEX conflict_opened (pair_id=? AND opened_at>? AND opened_at<?)',
    'SEARCH problem USING COVERING INDEX problem_first (workspace_id=? AND first_at>? AND first_at<?)',
  ]);
});

test("a store's deliveries of a day are counted in the index of times", async () => {
  const plans = await readEverything();
  const details = plans.filter(({ detail }) => / delivery /.test(detail)).map(({ detail }) => detail);
  assert.deepEqual(details, ['SEARCH delivery USING COVERING INDEX delivery_received (received_at>?)']);
});
