import type { Tx } from '../../db/database.ts';
import { type NewPlanItem, plan } from '../../db/schema/run.ts';
import type { store } from '../../db/schema/store.ts';
import { insertPlanItem } from '../../db/writers/runs.ts';
import type { StoreId, WorkspaceId } from '../../model/ids.ts';
import { DEFAULT_PAIR_SETTINGS } from '../../model/pair.ts';
import type { PlanCounts, PlanItemData } from '../../model/plan.ts';
import type { Side } from '../../model/platform.ts';
import type { StoreInfo } from '../../model/store-info.ts';
import type { World } from './insert-world.ts';

const TITLES = { woocommerce: 'Enamel mug', shopify: 'Mug' };
const NO_COUNTS = { create: 0, update: 0, archive: 0, stock: 0 };
const TEST_PLAN_COUNTS: PlanCounts = {
  woocommerce: NO_COUNTS,
  shopify: { ...NO_COUNTS, update: 1 },
  linked: 1,
  level: 0,
  ambiguous: 0,
  skipped: 0,
  conflicts: 0,
  unlike: 1,
  read: { woocommerce: 1, shopify: 1 },
};

export function storeRow(
  storeId: StoreId,
  workspaceId: WorkspaceId,
  side: Side,
  at: number,
): typeof store.$inferInsert {
  const info: StoreInfo = {
    identity: `https://${side}.example`,
    name: side,
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
    pricesIncludeTax: true,
    weightUnit: 'kg',
    version: '10.5.0',
    productCount: 1,
    locations: [{ id: 'default', name: 'Shop', isActive: true }],
    clockSkewMs: 0,
  };
  return {
    id: storeId,
    workspaceId,
    platform: side,
    name: side === 'woocommerce' ? 'Garden Shop' : 'Garden Shop 2',
    address: side === 'woocommerce' ? 'https://woo.example/shop' : 'garden.myshopify.com',
    identity: info.identity,
    credentials: 'SEALED-CREDENTIALS',
    webhookSecret: 'SEALED-SECRET',
    status: 'connected',
    info,
    findings: [{ code: 'REACHABLE', level: 'ok', message: 'The store answers.', remedy: '' }],
    isSandbox: false,
    createdAt: side === 'woocommerce' ? at : at + 1,
  };
}

export function insertPlan(
  tx: Tx,
  world: Pick<World, 'planId' | 'pairId' | 'productId'>,
  workspaceId: WorkspaceId,
  at: number,
): void {
  const { planId, pairId, productId } = world;
  const settings = DEFAULT_PAIR_SETTINGS;
  const counts = TEST_PLAN_COUNTS;
  tx.query
    .insert(plan)
    .values({
      id: planId,
      workspaceId,
      pairId,
      status: 'ready',
      settings,
      hash: 'h1',
      counts,
      progress: 100,
      createdAt: at,
      readyAt: at,
    })
    .run();
  const data: PlanItemData = {
    side: null,
    reason: 'sku',
    fields: [{ side: 'shopify', field: 'title', from: 'Mug', to: 'Enamel mug' }],
    stock: [{ label: 'MUG', woocommerce: 10, shopify: 9, result: 9, rule: 'smaller' }],
    imageUrl: '',
    conflicts: 0,
  };
  const item = { planId, woocommerceId: '1', shopifyId: '2', fingerprint: 'f' };
  const items: readonly NewPlanItem[] = [
    {
      ...item,
      seq: 1,
      action: 'link',
      productId,
      title: 'Enamel mug',
      sku: 'MUG',
      data: { ...data, unlike: TITLES },
    },
    {
      ...item,
      seq: 2,
      action: 'create',
      productId: null,
      title: 'Wool throw',
      sku: 'THROW',
      data: {
        ...data,
        side: 'woocommerce',
        fields: [],
        stock: data.stock.map((line) => ({ ...line, only: 'shopify' as const })),
      },
    },
    {
      ...item,
      seq: 3,
      action: 'none',
      productId: null,
      title: 'Oil bottle',
      sku: 'OIL',
      data: { ...data, fields: [] },
    },
  ];
  for (const row of items) insertPlanItem(tx, row);
}
