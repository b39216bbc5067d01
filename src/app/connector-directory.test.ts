import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Transport } from '../connectors/shared/transport.ts';
import type { StoreRow } from '../db/schema/store.ts';
import type { StoreId, WorkspaceId } from '../model/ids.ts';
import { makeTestClock } from '../testing/support/test-clock.ts';
import { makeTestLog } from '../testing/support/test-log.ts';
import { makeTestRandom } from '../testing/support/test-random.ts';
import { createConnectorDirectory } from './connector-directory.ts';

const ITEM = 'gid://shopify/InventoryItem/1';

function shopifyStore(): StoreRow {
  const auth = { type: 'token', accessToken: 'shpat_0' };
  return {
    id: 'str_1' as StoreId,
    workspaceId: 'ws_1' as WorkspaceId,
    platform: 'shopify',
    name: 'Northfold',
    address: 'northfold.myshopify.com',
    identity: 'northfold.myshopify.com',
    credentials: JSON.stringify({ platform: 'shopify', shopDomain: 'northfold.myshopify.com', auth }),
    webhookSecret: '',
    webhookSecretPrevious: null,
    status: 'connected',
    statusReason: null,
    info: { currency: 'EUR', weightUnit: 'kg' } as StoreRow['info'],
    findings: [],
    webhookSources: null,
    isSandbox: false,
    changedCursor: null,
    lastContactAt: null,
    webhooksCheckedAt: null,
    createdAt: 0,
  };
}

test('two mapped locations of one Shopify shop share its bucket of points: what one has used up, the other waits for', async () => {
  const clock = makeTestClock();
  const startedAt = clock.now();
  const sentAt: number[] = [];
  // A shop that says after each call that its bucket is as good as empty, and fills by 10 points a second.
  const throttleStatus = { maximumAvailable: 1_000, currentlyAvailable: 1, restoreRate: 10 };
  const transport: Transport = async () => {
    sentAt.push(clock.now() - startedAt);
    const item = { __typename: 'InventoryItem', id: ITEM, tracked: true, inventoryLevel: null };
    const body = {
      data: { location: { isActive: true }, nodes: [item] },
      extensions: { cost: { requestedQueryCost: 4, actualQueryCost: 4, throttleStatus } },
    };
    return { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)) };
  };
  const directory = createConnectorDirectory({
    clock,
    random: makeTestRandom(),
    log: makeTestLog(),
    cipher: { seal: (text) => text, open: (text) => text },
    transport,
    download: () => Promise.reject(new Error('nothing is downloaded in this test')),
    shopifyApiVersion: null,
    allowLocalStores: false,
    trustedOrigins: new Set(),
    publicUrl: null,
    localUrl: () => null,
  });
  const store = shopifyStore();
  const [first, second] = [directory.forStore(store, '1'), directory.forStore(store, '2')];
  assert.notEqual(first, second);
  await first.readStock([ITEM]);
  await second.readStock([ITEM]);
  const [, waitedMs = 0] = sentAt;
  assert.ok(waitedMs >= 300, `the second call left after ${waitedMs} ms, when the shop had no points for it`);
  await directory.close();
});
