import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanId } from '../../model/ids.ts';
import type { PlanItemData, PlannedStock } from '../../model/plan.ts';
import { openMemoryDatabase } from '../../testing/support/memory-database.ts';
import { statementsOf } from '../../testing/support/statements-of.ts';
import { type Db, transact } from '../database.ts';
import type { PlanItemRow } from '../schema/run.ts';
import { insertPlanItem } from '../writers/runs.ts';
import { listPlanItems, type PlanItemFilter } from './view-plan.ts';

const PLAN = 'plan_1' as PlanId;
const field = (side: 'woocommerce' | 'shopify') => ({ side, field: 'title', from: 'a', to: 'b' });
const stock = (line: Partial<PlannedStock>): PlannedStock[] => [
  { label: 'S', woocommerce: 5, shopify: 5, result: 5, rule: 'smaller', ...line },
];

/** Title: what it is, and which sides it touches. */
const ITEMS: readonly (Partial<PlanItemData> & { readonly title: string; readonly action?: string })[] = [
  { title: 'level: -' },
  { title: 'made: woocommerce', action: 'create', side: 'woocommerce' },
  { title: 'put away: shopify', action: 'archive', side: 'shopify' },
  { title: 'made, with a number: shopify', action: 'create', side: 'shopify', stock: stock({ woocommerce: 7 }) },
  { title: 'a field: shopify', fields: [field('shopify')] },
  { title: 'fields: woocommerce shopify', fields: [field('shopify'), field('woocommerce')] },
  { title: 'a number: woocommerce', stock: stock({ woocommerce: 9 }) },
  { title: 'two numbers: woocommerce shopify', stock: stock({ woocommerce: 9, shopify: 8 }) },
  { title: 'one of two: shopify', stock: stock({ woocommerce: 9, shopify: 8, only: 'shopify' }) },
  { title: 'none counted: -', stock: stock({ woocommerce: null, shopify: null, result: null }) },
  { title: 'not yet counted: woocommerce', stock: stock({ woocommerce: null }) },
  { title: 'refused: -', action: 'skip', side: 'woocommerce', fields: [field('shopify')] },
  { title: 'asked: -', action: 'ambiguous', fields: [field('shopify')] },
  { title: 'level already: -', action: 'none', stock: stock({ woocommerce: 1 }) },
  { title: 'unlike: woocommerce', fields: [field('woocommerce')], unlike: { woocommerce: 'A', shopify: 'B' } },
  { title: 'unlike and level: -', unlike: { woocommerce: 'A', shopify: 'B' } },
];

function makePlan(): Db {
  const db = openMemoryDatabase();
  transact(db, (tx) => {
    for (const planId of [PLAN, 'plan_2' as PlanId])
      for (const [seq, { title, action = 'link', ...own }] of ITEMS.entries())
        insertPlanItem(tx, {
          ...{ planId, seq, action, title, sku: `S-${seq}`, fingerprint: '' },
          ...{ productId: null, woocommerceId: null, shopifyId: null },
          data: { side: null, reason: '', fields: [], stock: [], imageUrl: '', conflicts: 0, ...own },
        });
  });
  return db;
}

function readPages(db: Db, filter: PlanItemFilter): { readonly rows: readonly PlanItemRow[]; readonly total: number } {
  const rows: PlanItemRow[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = listPlanItems(db, PLAN, { ...filter, limit: 2, cursor });
    rows.push(...page.rows);
    if (page.nextCursor === null) return { rows, total: page.total };
    cursor = page.nextCursor;
  }
}

test('items are found by the side that they would write on, by action, by what to look at twice and by words, in order', () => {
  const db = makePlan();
  for (const side of [undefined, 'woocommerce', 'shopify'] as const)
    for (const action of [undefined, 'link', 'create', 'skip'])
      for (const unlike of [undefined, true] as const)
        for (const q of [undefined, 'number', 's-1'])
          assert.deepEqual(
            pick(readPages(db, { side, action, unlike, q })),
            expected((item, n) => {
              const isFound = q === undefined || item.title.includes(q) || `s-${n}`.includes(q);
              const isThere = side === undefined || (item.title.split(':')[1] ?? '').includes(side);
              const isKind = action === undefined || (item.action ?? 'link') === action;
              return isFound && isThere && isKind && (unlike === undefined || item.unlike !== undefined);
            }),
            JSON.stringify({ side, action, unlike, q }),
          );
  const { byAction } = listPlanItems(db, PLAN, { side: 'shopify', q: 'made' });
  assert.deepEqual(byAction, { create: 2 }, 'of what was searched for, whatever it is filtered by');
  db.connection.close();
});

const pick = ({ rows, total }: ReturnType<typeof readPages>) => ({ titles: rows.map(({ title }) => title), total });
function expected(is: (item: (typeof ITEMS)[number], n: number) => boolean) {
  const titles = ITEMS.filter(is).map(({ title }) => title);
  return { titles, total: titles.length };
}

test('a plan is filtered, searched and counted in an index: only the rows of a page are read, and no JSON is opened', () => {
  const db = makePlan();
  const statements = statementsOf(db, () => {
    listPlanItems(db, PLAN, {});
    for (const filter of [{ action: 'link' }, { side: 'shopify' as const }, { unlike: true }, { q: 'mug' }])
      for (const action of [undefined, 'create']) listPlanItems(db, PLAN, { action, ...filter });
  });
  assert.ok(statements.length > 8);
  for (const sql of statements) {
    assert.doesNotMatch(sql, /json_/);
    const values = [...sql.matchAll(/\?/g)].map(() => '');
    const steps = db.connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[];
    const isOfPage = /"seq" in \(/.test(sql);
    // A page without rows looks for none.
    if (/ and false\)/.test(sql)) continue;
    for (const { detail } of steps.filter((step) => /plan_item/.test(step.detail)))
      assert.match(
        detail,
        isOfPage
          ? /^SEARCH plan_item USING INDEX sqlite_autoindex_plan_item_1 \(plan_id=\? AND seq=\?\)$/
          : /^SEARCH plan_item USING COVERING INDEX (plan_item_list|sqlite_autoindex_plan_item_1) \(plan_id=\?/,
        sql,
      );
  }
  db.connection.close();
});
