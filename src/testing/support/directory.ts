import {
  type AppConnectorDirectory,
  type ConnectorDirectoryOptions,
  createConnectorDirectory,
} from '../../app/connector-directory.ts';
import type { Transport } from '../../connectors/shared/transport.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import type { StoreId, WorkspaceId } from '../../model/ids.ts';
import { makeTestClock } from './test-clock.ts';
import { makeTestLog } from './test-log.ts';
import { makeTestRandom } from './test-random.ts';

/** A Shopify store whose credentials stand there as they are. */
export function shopifyStore(): StoreRow {
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

/** The real connectors over a wire of the test's own, of stores whose credentials are not sealed. */
export function openDirectory(
  transport: Transport,
  options: Partial<Pick<ConnectorDirectoryOptions, 'clock' | 'publicUrl' | 'requestsPerMinute'>> = {},
): AppConnectorDirectory {
  return createConnectorDirectory({
    clock: makeTestClock(),
    random: makeTestRandom(),
    log: makeTestLog(),
    cipher: { seal: (text) => text, open: (text) => text },
    transport,
    download: () => Promise.reject(new Error('nothing is downloaded in this test')),
    shopifyApiVersion: null,
    allowLocalStores: false,
    trustedOrigins: new Set(),
    publicUrl: 'https://twinshelf.example',
    localUrl: () => null,
    requestsPerMinute: () => null,
    ...options,
  });
}
