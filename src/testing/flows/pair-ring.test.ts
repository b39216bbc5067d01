// Pairs that would send every change around for ever, across workspaces as well.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { getStore } from '../../db/readers/pairs.ts';
import { insertStore } from '../../db/writers/stores.ts';
import { createPair } from '../../engine/pairs/create-pair.ts';
import { refuseMovedRing } from '../../engine/pairs/refuse-ring.ts';
import type { StoreId, WorkspaceId } from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';
import { Refusal } from '../../model/refusal.ts';
import { STORE_IDS } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

/** WooCommerce and Shopify of `EngineFlow` are a pair of the first workspace. */
function makeShops() {
  const flow = new EngineFlow();
  const { ctx } = flow.world.life();
  const { db } = flow.world;
  let made = 0;
  /** A store of a workspace, at an address that others may have, too. */
  const connect = (workspace: string, side: Side, shop: string): StoreId => {
    made += 1;
    const id = `str_made${made}` as StoreId;
    const at = { address: `${shop}.test`, identity: `${shop}.test`, name: `secret name of ${workspace}` };
    const row = getStore(db, STORE_IDS[side]);
    transact(db, (tx) => insertStore(tx, { ...row, ...at, id, workspaceId: workspace as WorkspaceId }));
    return id;
  };
  const pair = (workspace: string, woo: string, shopify: string) => {
    const own = { woocommerceStoreId: connect(workspace, 'woocommerce', woo) };
    const shopifyStoreId = connect(workspace, 'shopify', shopify);
    return createPair(ctx, { workspaceId: workspace as WorkspaceId, ...own, shopifyStoreId });
  };
  return { db, pair };
}

const isRing = (error: unknown) =>
  error instanceof Refusal && error.code === 'PAIR_RING' && !/secret|ws_|str_|\.test/.test(error.message);

test('[A6] pairs of several workspaces may share shops in a chain, and are refused where they would close a ring', () => {
  const { pair } = makeShops();
  pair('ws_2', 'woocommerce', 'shopify2');
  pair('ws_3', 'woo2', 'shopify2');
  pair('ws_4', 'woo3', 'shopify3');
  assert.throws(() => pair('ws_5', 'woo2', 'shopify'), isRing);
  pair('ws_7', 'woo3', 'shopify');
  assert.throws(() => pair('ws_6', 'woocommerce', 'shopify3'), isRing);
});

test('[A6] the same two shops are one pair of the instance', () => {
  const { pair } = makeShops();
  assert.throws(() => pair('ws_2', 'woocommerce', 'shopify'), /a pair in another workspace/);
});

test('[A6] a store does not move to an address where its pairs would close a ring', () => {
  const { db, pair } = makeShops();
  pair('ws_2', 'woocommerce', 'shopify2');
  const { woocommerceStoreId } = pair('ws_3', 'woo2', 'shopify2');
  const own = pair('ws_4', 'woo3', 'shopify');
  const move = (id: StoreId, shop: string) =>
    transact(db, (tx) => refuseMovedRing(tx, getStore(tx, id), `${shop}.test`, `${shop}.test`));
  assert.throws(() => move(own.woocommerceStoreId, 'woo2'), isRing);
  assert.throws(() => move(woocommerceStoreId, 'woo3'), isRing);
  move(own.woocommerceStoreId, 'woo4');
  move(own.woocommerceStoreId, 'woo3');
});
