import { type ConnectionArgs, connectionPage } from '../graphql/connection.ts';
import { gidOf } from '../store/ids.ts';
import type {
  BulkOperationRecord,
  ProductOperationRecord,
  PublicationRecord,
  WebhookSubscriptionRecord,
} from '../store/records.ts';
import { offsetMinutes } from '../webhooks/shop-time.ts';
import type { FieldMap } from './field-map.ts';
import { metafieldsOf } from './metafield-fields.ts';
import { SHOP_ID, shopGid } from './nodes.ts';
import { apiVersionOf } from './versions.ts';

export const BULK_RESULT_PATH = '/__storage/bulk';
const RESULT_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

export const SHOP_FIELDS: FieldMap = {
  Shop: {
    ...metafieldsOf(() => shopGid),
    id: () => shopGid,
    name: (_shop, _args, ctx) => ctx.state.config.shop.name,
    email: (_shop, _args, ctx) => ctx.state.config.shop.email,
    contactEmail: (_shop, _args, ctx) => ctx.state.config.shop.email,
    myshopifyDomain: (_shop, _args, ctx) => ctx.state.config.shopDomain,
    url: (_shop, _args, ctx) => `https://${ctx.state.config.shopDomain}`,
    primaryDomain: (_shop, _args, ctx) => ({
      type: 'Domain',
      id: gidOf('Domain', SHOP_ID),
      host: ctx.state.config.shopDomain,
      url: `https://${ctx.state.config.shopDomain}`,
    }),
    currencyCode: (_shop, _args, ctx) => ctx.state.config.shop.currencyCode,
    enabledPresentmentCurrencies: (_shop, _args, ctx) => [ctx.state.config.shop.currencyCode],
    taxesIncluded: (_shop, _args, ctx) => ctx.state.config.shop.taxesIncluded,
    taxShipping: (_shop, _args, ctx) => ctx.state.config.shop.taxShipping,
    weightUnit: (_shop, _args, ctx) => ctx.state.config.shop.weightUnit,
    unitSystem: (_shop, _args, ctx) => ctx.state.config.shop.unitSystem,
    ianaTimezone: (_shop, _args, ctx) => ctx.state.config.shop.ianaTimezone,
    timezoneOffsetMinutes: (_shop, _args, ctx) =>
      offsetMinutes(ctx.state.environment.now(), ctx.state.config.shop.ianaTimezone),
    orderNumberFormatPrefix: () => '#',
    orderNumberFormatSuffix: () => '',
    setupRequired: () => false,
    createdAt: (_shop, _args, ctx) => ctx.state.store.createdAt,
    updatedAt: (_shop, _args, ctx) => ctx.state.store.createdAt,
    plan: (_shop, _args, ctx) => {
      const { planName, isDevelopmentStore, isPlus } = ctx.state.config.shop;
      return { publicDisplayName: planName, partnerDevelopment: isDevelopmentStore, shopifyPlus: isPlus };
    },
    shopAddress: (_shop, _args, ctx) => ({
      type: 'ShopAddress',
      id: gidOf('ShopAddress', SHOP_ID),
      countryCodeV2: ctx.state.config.shop.countryCode,
      provinceCode: ctx.state.config.shop.provinceCode,
    }),
    resourceLimits: () => ({ locationLimit: 10, maxProductOptions: 3, maxProductVariants: 2_048 }),
    customerAccountsV2: () => ({ customerAccountsVersion: 'NEW_CUSTOMER_ACCOUNTS' }),
  },
  AppInstallation: {
    ...metafieldsOf((_installation, ctx) => gidOf('AppInstallation', ctx.state.store.appId)),
    id: (_installation, _args, ctx) => gidOf('AppInstallation', ctx.state.store.appId),
    launchUrl: (_installation, _args, ctx) =>
      `https://${ctx.state.config.shopDomain}/admin/apps/${ctx.state.config.clientId}`,
    accessScopes: (_installation, _args, ctx) => [...ctx.state.grantedScopes].sort().map((handle) => ({ handle })),
    app: (_installation, _args, ctx) => ({
      type: 'App',
      id: gidOf('App', ctx.state.store.appId),
      apiKey: ctx.state.config.clientId,
      handle: 'sandbox-app',
      title: 'Sandbox app',
    }),
  },
  Publication: {
    id: (publication: PublicationRecord) => gidOf('Publication', publication.id),
    name: (publication: PublicationRecord) => publication.title,
    supportsFuturePublishing: (publication: PublicationRecord) => publication.appHandle === 'online_store',
    catalog: (publication: PublicationRecord) => ({
      type: 'AppCatalog',
      id: publication.id,
      title: publication.title,
      publication,
    }),
  },
  AppCatalog: {
    id: (catalog: { id: number }) => gidOf('AppCatalog', catalog.id),
    apps: (catalog: { publication: PublicationRecord }, args: ConnectionArgs, ctx) => {
      const { id, appHandle, title } = catalog.publication;
      return connectionPage(ctx, args, {
        rows: [{ type: 'App', id: gidOf('App', id), key: id, handle: appHandle, title, apiKey: appHandle }],
        idOf: (app) => app.key,
      });
    },
  },
  WebhookSubscription: {
    id: (subscription: WebhookSubscriptionRecord) => gidOf('WebhookSubscription', subscription.id),
    legacyResourceId: (subscription: WebhookSubscriptionRecord) => subscription.id,
    callbackUrl: (subscription: WebhookSubscriptionRecord) => subscription.uri,
    apiVersion: (subscription: WebhookSubscriptionRecord, _args, ctx) =>
      apiVersionOf(subscription.apiVersion, ctx.state.environment.now()),
  },
  BulkOperation: {
    id: (operation: BulkOperationRecord) => gidOf('BulkOperation', operation.id),
    type: (operation: BulkOperationRecord) => operation.kind,
    fileSize: (operation: BulkOperationRecord) => operation.result?.length ?? null,
    url: (operation: BulkOperationRecord, _args, ctx) => {
      if (operation.status !== 'COMPLETED' || !operation.result || operation.completedAt === null) return null;
      const isLive = ctx.state.environment.now() - operation.completedAt < RESULT_LIFE_MS;
      return isLive ? `${ctx.state.origin()}${BULK_RESULT_PATH}/${operation.id}.jsonl` : null;
    },
    partialDataUrl: (operation: BulkOperationRecord, _args, ctx) =>
      operation.result && ['FAILED', 'CANCELED'].includes(operation.status)
        ? `${ctx.state.origin()}${BULK_RESULT_PATH}/${operation.id}.jsonl`
        : null,
  },
  ProductSetOperation: {
    id: (operation: ProductOperationRecord) => gidOf('ProductSetOperation', operation.id),
    product: (operation: ProductOperationRecord, _args, ctx) =>
      operation.productId === null ? null : (ctx.state.store.products.get(operation.productId) ?? null),
  },
};
