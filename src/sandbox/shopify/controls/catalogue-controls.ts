import { normaliseTags } from '../mutations/product-input.ts';
import type { SandboxState } from '../state.ts';
import { type ChangeSet, createChangeSet } from '../store/changes.ts';
import { freeHandle, handleFrom } from '../store/handles.ts';
import { gidOf } from '../store/ids.ts';
import { moneyText } from '../store/money.ts';
import {
  addDefaultVariant,
  addOption,
  addOptionValue,
  addVariant,
  createProduct,
  deleteProduct,
  removeVariant,
  setQuantity,
} from '../store/product-writes.ts';
import type { ProductRecord, ProductStatus, VariantRecord } from '../store/records.ts';
import { addChannel, availableOf, primaryLocation, setSku, variantTitle } from '../store/store.ts';
import { findProduct, findVariant } from './find.ts';

/** What a merchant does to the catalogue in the admin. Every control commits once and sends the webhooks of a real store. */

export interface NewVariant {
  readonly sku?: string;
  readonly price?: string;
  readonly compareAtPrice?: string | null;
  readonly stock?: number;
  /** Default true: a merchant who types a stock tracks it. */
  readonly tracked?: boolean;
  readonly barcode?: string | null;
  readonly weightKg?: number;
  /** One value per option of the product. */
  readonly optionValues?: readonly string[];
}

export interface NewProduct extends NewVariant {
  readonly title: string;
  readonly descriptionHtml?: string;
  readonly tags?: readonly string[];
  readonly status?: ProductStatus;
  readonly vendor?: string;
  /** With `variants`; without, the product has one variant made of the fields here. */
  readonly optionNames?: readonly string[];
  readonly variants?: readonly NewVariant[];
}

export interface AddedProduct {
  readonly productId: string;
  readonly variantIds: readonly string[];
}

/** One small row per variant. */
export interface ShelfRow {
  readonly productId: string;
  readonly title: string;
  readonly status: ProductStatus;
  readonly variantId: string;
  readonly variantTitle: string;
  readonly inventoryItemId: string;
  readonly sku: string | null;
  readonly price: string;
  readonly compareAtPrice: string | null;
  readonly available: number;
  readonly tracked: boolean;
}

export interface CatalogueControls {
  addProduct(product: NewProduct): AddedProduct;
  updateProduct(
    productId: string,
    change: {
      title?: string;
      descriptionHtml?: string;
      tags?: readonly string[];
      status?: ProductStatus;
      vendor?: string;
    },
  ): void;
  /** In and out of the online store; other channels keep it. */
  setPublished(productId: string, isPublished: boolean): void;
  removeOnlineStore(): void;
  /** With another id than before: nothing is published to it. */
  addOnlineStore(): void;
  deleteProduct(productId: string): void;
  addVariant(productId: string, variant: NewVariant): string;
  removeVariant(variant: string): void;
  /** A variant is named by its gid or its SKU. */
  setPrice(variant: string, price: string, compareAtPrice?: string | null): void;
  setSku(variant: string, sku: string | null): void;
  setTracked(variant: string, tracked: boolean): void;
  /** Its values come from a category metafield from now on. */
  linkOption(productId: string, optionName: string): void;
  addCollection(title: string): string;
  listShelf(): ShelfRow[];
}

export function createCatalogueControls(state: SandboxState): CatalogueControls {
  const { store } = state;
  const act = <T>(work: (changes: ChangeSet, now: number) => T): T => {
    const changes = createChangeSet();
    const result = work(changes, state.environment.now());
    state.commit(changes);
    return result;
  };
  const editVariant = (ref: string, edit: (variant: VariantRecord, changes: ChangeSet) => void) =>
    act((changes, now) => {
      const variant = findVariant(state, ref);
      edit(variant, changes);
      variant.updatedAt = now;
      changes.productsUpdated.add(variant.product);
    });

  return {
    addProduct: (input) =>
      act((changes, now) => {
        const product = createProduct(
          store,
          now,
          input.title,
          freeHandle(handleFrom(input.title), (handle) => store.productsByHandle.has(handle)),
          changes,
        );
        product.descriptionHtml = input.descriptionHtml ?? '';
        product.tags = normaliseTags(input.tags ?? []);
        product.status = input.status ?? 'ACTIVE';
        product.vendor = input.vendor ?? state.config.shop.name;
        // The admin publishes to all channels unless told otherwise.
        for (const publication of store.publications.values()) product.publications.set(publication.id, now);
        product.publishedAt = now;
        if (input.variants) {
          for (const [index, name] of (input.optionNames ?? ['Title']).entries()) {
            const option = addOption(store, product, name, []);
            for (const value of new Set(
              input.variants.map((variant) => variant.optionValues?.[index] ?? 'Default Title'),
            ))
              addOptionValue(store, option, value);
          }
          for (const variant of input.variants)
            fillVariant(state, makeVariant(state, product, variant, now, changes), variant, changes);
        } else fillVariant(state, addDefaultVariant(store, product, now, changes), input, changes);
        return {
          productId: gidOf('Product', product.id),
          variantIds: product.variants.map((variant) => gidOf('ProductVariant', variant.id)),
        };
      }),
    updateProduct: (productId, change) =>
      act((changes) => {
        const product = findProduct(state, productId);
        if (change.title !== undefined) product.title = change.title;
        if (change.descriptionHtml !== undefined) product.descriptionHtml = change.descriptionHtml;
        if (change.tags !== undefined) product.tags = normaliseTags(change.tags);
        if (change.status !== undefined) product.status = change.status;
        if (change.vendor !== undefined) product.vendor = change.vendor;
        changes.productsUpdated.add(product);
      }),
    setPublished: (productId, isPublished) =>
      act((changes, now) => {
        const product = findProduct(state, productId);
        for (const { id, appHandle } of store.publications.values()) {
          if (appHandle !== 'online_store') continue;
          if (isPublished) product.publications.set(id, now);
          else product.publications.delete(id);
          product.publishedAt = isPublished ? now : null;
        }
        changes.productsUpdated.add(product);
      }),
    removeOnlineStore: () =>
      act((changes) => {
        for (const { id, appHandle } of store.publications.values()) {
          if (appHandle !== 'online_store') continue;
          store.publications.delete(id);
          for (const product of store.products.values()) {
            if (!product.publications.delete(id)) continue;
            product.publishedAt = null;
            changes.productsUpdated.add(product);
          }
        }
      }),
    addOnlineStore: () => addChannel(store, 'Online Store', 'online_store'),
    deleteProduct: (productId) => act((changes) => deleteProduct(store, findProduct(state, productId), changes)),
    addVariant: (productId, input) =>
      act((changes, now) => {
        const product = findProduct(state, productId);
        const variant = makeVariant(state, product, input, now, changes);
        fillVariant(state, variant, input, changes);
        changes.productsUpdated.add(product);
        return gidOf('ProductVariant', variant.id);
      }),
    removeVariant: (ref) =>
      act((changes) => {
        const variant = findVariant(state, ref);
        if (variant.product.variants.length === 1) throw new Error('a product keeps its last variant');
        removeVariant(store, variant, changes);
        changes.productsUpdated.add(variant.product);
      }),
    setPrice: (ref, price, compareAtPrice) =>
      editVariant(ref, (variant) => {
        variant.price = moneyText(price);
        if (compareAtPrice !== undefined)
          variant.compareAtPrice = compareAtPrice === null ? null : moneyText(compareAtPrice);
      }),
    setSku: (ref, sku) =>
      editVariant(ref, (variant, changes) => {
        setSku(store, variant.item, sku);
        changes.itemsUpdated.add(variant.item);
      }),
    setTracked: (ref, tracked) =>
      editVariant(ref, (variant, changes) => {
        variant.item.tracked = tracked;
        changes.itemsUpdated.add(variant.item);
      }),
    linkOption: (productId, optionName) =>
      act((changes) => {
        const product = findProduct(state, productId);
        const option = product.options.find(({ name }) => name === optionName);
        if (!option) throw new Error(`no option ${optionName}`);
        option.isLinked = true;
        changes.productsUpdated.add(product);
      }),
    addCollection: (title) =>
      act((_changes, now) => {
        const id = store.newId('Collection');
        store.collections.set(id, {
          type: 'Collection',
          id,
          title,
          handle: handleFrom(title),
          createdAt: now,
          updatedAt: now,
        });
        return gidOf('Collection', id);
      }),
    listShelf: () => [...store.products.values()].flatMap((product) => product.variants.map(shelfRow)),
  };
}

function makeVariant(
  state: SandboxState,
  product: ProductRecord,
  input: NewVariant,
  now: number,
  changes: ChangeSet,
): VariantRecord {
  const values = product.options.map((option, index) => {
    const name = input.optionValues?.[index] ?? 'Default Title';
    return option.values.find((value) => value.name === name) ?? addOptionValue(state.store, option, name);
  });
  return addVariant(state.store, product, values, now, changes);
}

function fillVariant(state: SandboxState, variant: VariantRecord, input: NewVariant, changes: ChangeSet): void {
  variant.price = moneyText(input.price ?? '0');
  variant.compareAtPrice = input.compareAtPrice ? moneyText(input.compareAtPrice) : null;
  variant.barcode = input.barcode ?? null;
  variant.item.tracked = input.tracked ?? true;
  variant.item.weight = { unit: 'KILOGRAMS', value: input.weightKg ?? 0 };
  if (input.sku !== undefined) setSku(state.store, variant.item, input.sku);
  const home = primaryLocation(state.store);
  for (const level of variant.item.levels)
    if (level.location === home) setQuantity(level, 'available', input.stock ?? 0, changes);
}

function shelfRow(variant: VariantRecord): ShelfRow {
  return {
    productId: gidOf('Product', variant.product.id),
    title: variant.product.title,
    status: variant.product.status,
    variantId: gidOf('ProductVariant', variant.id),
    variantTitle: variantTitle(variant),
    inventoryItemId: gidOf('InventoryItem', variant.item.id),
    sku: variant.item.sku,
    price: variant.price,
    compareAtPrice: variant.compareAtPrice,
    available: availableOf(variant.item),
    tracked: variant.item.tracked,
  };
}
