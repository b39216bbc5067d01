import { type Db, type Tx, transact } from '../../db/database.ts';
import { conflict, problem } from '../../db/schema/history.ts';
import { pair } from '../../db/schema/pair.ts';
import { product, productBinding, variant, variantBinding } from '../../db/schema/product.ts';
import { run, runItem } from '../../db/schema/run.ts';
import { store } from '../../db/schema/store.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { recordChange } from '../../db/writers/history.ts';
import type {
  ConflictId,
  PairId,
  PlanId,
  ProblemId,
  ProductId,
  RunId,
  StoreId,
  VariantId,
  WorkspaceId,
} from '../../model/ids.ts';
import { DEFAULT_PAIR_SETTINGS } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { CanonicalProduct } from '../../model/product.ts';
import { insertPlan, storeRow } from './world-rows.ts';

export interface World {
  readonly storeIds: Readonly<Record<Side, StoreId>>;
  readonly pairId: PairId;
  readonly planId: PlanId;
  readonly runId: RunId;
  readonly productId: ProductId;
  readonly conflictId: ConflictId;
  readonly problemId: ProblemId;
}

/** One of everything in a workspace: two stores, their pair, a plan, a run, a linked mug with a conflict, a problem, an event. */
export function insertWorld(db: Db, workspaceId: WorkspaceId, at: number, tag = workspaceId): World {
  const id = <T extends string>(prefix: string) => `${prefix}${tag}` as T;
  const world: World = {
    storeIds: { woocommerce: id<StoreId>('str_w_'), shopify: id<StoreId>('str_s_') },
    pairId: id('pair_'),
    planId: id('plan_'),
    runId: id('run_'),
    productId: id('prd_'),
    conflictId: id('cfl_'),
    problemId: id('prb_'),
  };
  transact(db, (tx) => {
    for (const side of SIDES)
      tx.query
        .insert(store)
        .values(storeRow(world.storeIds[side], workspaceId, side, at))
        .run();
    const { pairId, runId, planId, productId } = world;
    tx.query
      .insert(pair)
      .values({
        id: pairId,
        workspaceId,
        woocommerceStoreId: world.storeIds.woocommerce,
        shopifyStoreId: world.storeIds.shopify,
        settings: DEFAULT_PAIR_SETTINGS,
        status: 'active',
        halt: null,
        guardSince: at,
        scanNumber: 1,
        linkedAt: at,
        lastSyncAt: at,
        accuracy: { compared: 2000, equal: 1999, at },
        createdAt: at,
      })
      .run();
    insertPlan(tx, world, workspaceId, at);
    tx.query
      .insert(run)
      .values({
        id: runId,
        workspaceId,
        pairId,
        planId,
        trigger: 'initial',
        direction: 'bidirectional',
        area: 'all',
        status: 'completed',
        progress: 100,
        stats: { totalProcessed: 1, successful: 1, failed: 0, written: 1, skipped: 0 },
        errorCode: null,
        errorMessage: null,
        cursor: 0,
        scanNumber: 2,
        isCancelRequested: false,
        startedAt: at,
        finishedAt: at + 1_200,
      })
      .run();
    tx.query
      .insert(runItem)
      .values({
        runId,
        subject: productId,
        title: 'Enamel mug',
        action: 'update',
        outcome: 'written',
        detail: null,
        at,
      })
      .run();
    insertProduct(tx, world, at);
    const variantId = variantIdOf(world);
    recordChange(tx, {
      pairId,
      runId,
      productId,
      variantId,
      field: 'stock',
      origin: 'shopify',
      target: null,
      from: 10,
      to: 9,
      cause: 'outside_change',
      at,
    });
    const payload = { productId, variantId, label: 'Enamel mug', side: 'shopify', from: 10, to: 9 };
    recordEvent(tx, { workspaceId, pairId, type: 'stock_changed', payload, at });
    insertTrouble(tx, world, workspaceId, at);
  });
  return world;
}

export function variantIdOf(world: World): VariantId {
  return `var_${world.productId}` as VariantId;
}

function insertProduct(tx: Tx, world: World, at: number): void {
  const { productId, pairId } = world;
  const variantId = variantIdOf(world);
  const data: CanonicalProduct = {
    fields: {
      title: 'Enamel mug',
      descriptionHtml: '',
      status: 'active',
      tags: ['kitchen'],
      optionNames: [],
      handle: 'mug',
    },
    variants: {
      [variantId]: {
        sku: 'MUG',
        barcode: '',
        price: { regularMinor: 1400, saleMinor: null },
        weightMg: null,
        optionValues: [],
        backorders: 'no',
        taxable: true,
        requiresShipping: true,
      },
    },
  };
  tx.query
    .insert(product)
    .values({
      id: productId,
      pairId,
      data,
      seen: {},
      state: 'live',
      title: 'Enamel mug',
      titleKey: 'enamel mug',
      imageUrl: '',
      createdAt: at,
      updatedAt: at,
    })
    .run();
  tx.query
    .insert(variant)
    .values({ id: variantId, productId, pairId, quantity: 9, stockState: 'live', sku: 'MUG', barcode: '' })
    .run();
  for (const side of SIDES) {
    const binding = { productId, side, pairId, storeId: world.storeIds[side], externalId: `${side}-1`, adminUrl: '' };
    tx.query
      .insert(productBinding)
      .values({ ...binding, seenInScan: 0 })
      .run();
    tx.query
      .insert(variantBinding)
      .values({ ...binding, variantId, stockId: `${side}-stock`, baseQuantity: 9, baseTracked: true, provisional: 0 })
      .run();
  }
}

function insertTrouble(tx: Tx, world: World, workspaceId: WorkspaceId, at: number): void {
  const { pairId, productId } = world;
  tx.query
    .insert(conflict)
    .values({
      id: world.conflictId,
      pairId,
      productId,
      field: 'title',
      side: 'shopify',
      base: 'Mug',
      hub: 'Enamel mug',
      remote: 'Enamelled mug',
      version: 3,
      state: 'open',
      openedAt: at,
      remoteSeenAt: at,
    })
    .run();
  tx.query
    .insert(problem)
    .values({
      id: world.problemId,
      workspaceId,
      pairId,
      storeId: world.storeIds.shopify,
      productId,
      side: 'shopify',
      subject: productId,
      code: 'WRITE_REJECTED',
      level: 'error',
      message: 'Shopify refused "Enamel mug"',
      remedy: 'Change it.',
      details: null,
      count: 1,
      state: 'open',
      firstAt: at,
      lastAt: at,
    })
    .run();
}
