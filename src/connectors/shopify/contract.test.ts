import { describeConnectorContract } from '../../testing/contract/connector-contract.ts';
import { makeShopifyHarness } from './contract-harness.test.ts';

describeConnectorContract('shopify on the sandbox', makeShopifyHarness);
