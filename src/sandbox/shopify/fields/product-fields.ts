import { type ConnectionArgs, connectionPage } from '../graphql/connection.ts';
import type { RequestContext } from '../state.ts';
import { gidOf } from '../store/ids.ts';
import type {
  CollectionRecord,
  MediaRecord,
  OptionRecord,
  OptionValueRecord,
  ProductRecord,
  VariantRecord,
} from '../store/records.ts';
import { availableOf, hasOnlyDefaultVariant, shownTotal, variantTitle } from '../store/store.ts';
import type { FieldMap } from './field-map.ts';
import { exactCount } from './lists.ts';
import { metafieldsOf } from './metafield-fields.ts';

interface SortedArgs extends ConnectionArgs {
  readonly sortKey?: string | null;
}

const VARIANT_SORT: Readonly<Record<string, (variant: VariantRecord) => number | string>> = {
  POSITION: (variant) => variant.position,
  SKU: (variant) => variant.item.sku ?? '',
  TITLE: variantTitle,
  INVENTORY_QUANTITY: (variant) => availableOf(variant.item),
};

function variantsPage(product: ProductRecord, args: SortedArgs, ctx: RequestContext) {
  const sortValue = VARIANT_SORT[args.sortKey ?? 'POSITION'] ?? ((variant: VariantRecord) => variant.id);
  const isStored = (args.sortKey ?? 'POSITION') === 'POSITION';
  const rows = isStored
    ? product.variants
    : [...product.variants].sort((left, right) => {
        const a = sortValue(left);
        const b = sortValue(right);
        return a < b ? -1 : a > b ? 1 : left.id - right.id;
      });
  return connectionPage(ctx, args, { rows, idOf: (variant) => variant.id, sortValueOf: sortValue });
}

/** Text without tags, as `description` shows it. */
function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function isUsed(option: OptionRecord, value: OptionValueRecord): boolean {
  const index = option.product.options.indexOf(option);
  return option.product.variants.some((variant) => variant.values[index] === value);
}

function publicationCount(product: ProductRecord) {
  return exactCount(product.status === 'ACTIVE' || product.status === 'UNLISTED' ? product.publications.size : 0);
}

export const PRODUCT_FIELDS: FieldMap = {
  Product: {
    ...metafieldsOf((product: ProductRecord) => gidOf('Product', product.id)),
    id: (product: ProductRecord) => gidOf('Product', product.id),
    legacyResourceId: (product: ProductRecord) => product.id,
    description: (product: ProductRecord, args: { truncateAt?: number | null }) => {
      const text = plainText(product.descriptionHtml);
      return args.truncateAt && text.length > args.truncateAt
        ? `${text.slice(0, Math.max(0, args.truncateAt - 3))}...`
        : text;
    },
    category: (product: ProductRecord) =>
      product.categoryId === null
        ? null
        : { type: 'TaxonomyCategory', id: product.categoryId, fullName: product.categoryId },
    seo: (product: ProductRecord) => ({ title: product.seoTitle, description: product.seoDescription }),
    hasOnlyDefaultVariant: (product: ProductRecord) => hasOnlyDefaultVariant(product),
    // The sandbox sells no bundles.
    hasVariantsThatRequiresComponents: () => false,
    onlineStoreUrl: (product: ProductRecord, _args, ctx) =>
      product.publishedAt === null || product.status !== 'ACTIVE'
        ? null
        : `https://${ctx.state.config.shopDomain}/products/${product.handle}`,
    options: (product: ProductRecord, args: { first?: number | null }) =>
      product.options.slice(0, args.first ?? undefined),
    variants: (product: ProductRecord, args: SortedArgs, ctx) => variantsPage(product, args, ctx),
    variantsCount: (product: ProductRecord) => exactCount(product.variants.length),
    totalInventory: (product: ProductRecord, _args, ctx) => shownTotal(product, ctx.state.environment.now()),
    tracksInventory: (product: ProductRecord) => product.variants.some((variant) => variant.item.tracked),
    media: (product: ProductRecord, args: ConnectionArgs, ctx) => mediaPage(product.media, args, ctx),
    mediaCount: (product: ProductRecord) => exactCount(product.media.length),
    collections: (product: ProductRecord, args: ConnectionArgs, ctx) =>
      connectionPage(ctx, args, {
        rows: [...product.collections].sort((left, right) => left.id - right.id),
        idOf: (collection) => collection.id,
      }),
    availablePublicationsCount: (product: ProductRecord) => publicationCount(product),
    resourcePublicationsV2: (
      product: ProductRecord,
      args: ConnectionArgs & { onlyPublished?: boolean | null },
      ctx,
    ) => {
      const now = ctx.state.environment.now();
      const rows = [...ctx.state.store.publications.values()].flatMap((publication) => {
        const at = product.publications.get(publication.id);
        const isPublished = at !== undefined && at <= now;
        if (at === undefined || ((args.onlyPublished ?? true) && !isPublished)) return [];
        return [{ id: publication.id, isPublished, publishDate: at, publication }];
      });
      return connectionPage(ctx, args, { rows, idOf: (row) => row.id });
    },
  },
  ProductVariant: {
    ...metafieldsOf((variant: VariantRecord) => gidOf('ProductVariant', variant.id)),
    id: (variant: VariantRecord) => gidOf('ProductVariant', variant.id),
    legacyResourceId: (variant: VariantRecord) => variant.id,
    sku: (variant: VariantRecord) => variant.item.sku,
    title: (variant: VariantRecord) => variantTitle(variant),
    displayName: (variant: VariantRecord) => `${variant.product.title} - ${variantTitle(variant)}`,
    inventoryItem: (variant: VariantRecord) => variant.item,
    inventoryQuantity: (variant: VariantRecord) => availableOf(variant.item),
    sellableOnlineQuantity: (variant: VariantRecord) => availableOf(variant.item),
    availableForSale: (variant: VariantRecord) =>
      !variant.item.tracked || variant.inventoryPolicy === 'CONTINUE' || availableOf(variant.item) > 0,
    selectedOptions: (variant: VariantRecord) =>
      variant.values.map((value, index) => ({ name: variant.product.options[index]?.name ?? '', value: value.name })),
    media: (variant: VariantRecord, args: ConnectionArgs, ctx) =>
      mediaPage(
        variant.product.media.filter((media) => media.id === variant.mediaId),
        args,
        ctx,
      ),
    availablePublicationsCount: (variant: VariantRecord) => publicationCount(variant.product),
  },
  ProductOption: {
    id: (option: OptionRecord) => gidOf('ProductOption', option.id),
    position: (option: OptionRecord) => option.product.options.indexOf(option) + 1,
    optionValues: (option: OptionRecord) =>
      option.values.map((value) => ({ ...value, hasVariants: isUsed(option, value) })),
    values: (option: OptionRecord) => option.values.filter((value) => isUsed(option, value)).map((value) => value.name),
  },
  ProductOptionValue: {
    id: (value: OptionValueRecord) => gidOf('ProductOptionValue', value.id),
  },
  Collection: {
    ...metafieldsOf((collection: CollectionRecord) => gidOf('Collection', collection.id)),
    id: (collection: CollectionRecord) => gidOf('Collection', collection.id),
    legacyResourceId: (collection: CollectionRecord) => collection.id,
    productsCount: (collection: CollectionRecord, _args, ctx) =>
      exactCount(
        [...ctx.state.store.products.values()].filter((product) => product.collections.includes(collection)).length,
      ),
  },
  MediaImage: {
    id: (media: MediaRecord) => gidOf('MediaImage', media.id),
    mediaContentType: () => 'IMAGE',
    status: (media: MediaRecord, _args, ctx) => mediaStatus(media, ctx),
    fileStatus: (media: MediaRecord, _args, ctx) => mediaStatus(media, ctx),
    mimeType: (media: MediaRecord, _args, ctx) => (mediaStatus(media, ctx) === 'READY' ? mimeTypeOf(media) : null),
    image: (media: MediaRecord, _args, ctx) => imageOf(media, ctx),
    preview: (media: MediaRecord, _args, ctx) => ({ image: imageOf(media, ctx) }),
    originalSource: (media: MediaRecord, _args, ctx) => ({
      url: mediaStatus(media, ctx) === 'READY' ? media.originalSource : null,
    }),
    mediaErrors: (media: MediaRecord, _args, ctx) =>
      mediaStatus(media, ctx) === 'FAILED'
        ? [{ code: media.failure, details: media.originalSource, message: 'Image could not be downloaded' }]
        : [],
  },
};

function mediaPage(rows: readonly MediaRecord[], args: ConnectionArgs, ctx: RequestContext) {
  const positions = new Map(rows.map((media, index) => [media, index]));
  return connectionPage(ctx, args, {
    rows,
    idOf: (media) => media.id,
    sortValueOf: (media) => positions.get(media) ?? 0,
  });
}

/** UPLOADED, then PROCESSING, then READY or FAILED, by age alone: reading is enough to see it move. */
function mediaStatus(media: MediaRecord, ctx: RequestContext): string {
  const age = ctx.state.environment.now() - media.createdAt;
  const step = ctx.state.config.mediaStepMs;
  if (age < step) return 'UPLOADED';
  if (age < 2 * step) return 'PROCESSING';
  return media.failure === null ? 'READY' : 'FAILED';
}

function imageOf(media: MediaRecord, ctx: RequestContext): unknown {
  if (mediaStatus(media, ctx) !== 'READY') return null;
  const name = media.originalSource.split(/[?#]/)[0]?.split('/').at(-1) ?? 'image';
  return { url: `https://cdn.shopify.com/s/files/sandbox/${media.id}/${name}`, width: 800, height: 600 };
}

function mimeTypeOf(media: MediaRecord): string {
  if (/\.png(\?|$)/i.test(media.originalSource)) return 'image/png';
  return /\.webp(\?|$)/i.test(media.originalSource) ? 'image/webp' : 'image/jpeg';
}
