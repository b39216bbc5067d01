import type { SandboxState } from '../state.ts';
import { createChangeSet } from '../store/changes.ts';
import { freeHandle, handleFrom } from '../store/handles.ts';
import { centsText } from '../store/money.ts';
import { addDefaultVariant, addOption, addVariant, createProduct } from '../store/product-writes.ts';
import type { VariantRecord } from '../store/records.ts';
import { liveTotal, primaryLocation, setSku } from '../store/store.ts';

/** A catalogue that was always like that did not change today. */
const AGE_MS = 30 * 86_400_000;

export interface SeedOptions {
  readonly products: number;
  /** 1: no options. More: option "Size" with as many values. */
  readonly variants: number;
  readonly skuPrefix?: string;
}

/**
 * The same numbers give the same catalogue here and in the WooCommerce sandbox. Product i is 1-based, its variant j too:
 * price (1000 + i % 5000) + 100 (j - 1) cents, stock 20 + (7 i + j) % 50. No webhooks: the shop was always like that.
 */
export function seedCatalogue(state: SandboxState, options: SeedOptions): void {
  const { store } = state;
  const madeAt = state.environment.now() - AGE_MS;
  const prefix = options.skuPrefix ?? 'TS-';
  const sizes = Array.from({ length: options.variants }, (_, index) => `Size ${index + 1}`);
  for (let i = 1; i <= options.products; i += 1) {
    // Nobody listens to these changes; a set per product would cost more than the product.
    const changes = createChangeSet();
    const title = `Sample product ${i}`;
    const product = createProduct(
      store,
      madeAt,
      title,
      freeHandle(handleFrom(title), (handle) => store.productsByHandle.has(handle)),
      changes,
    );
    product.descriptionHtml = `<p>Sample description ${i}</p>`;
    product.tags = ['sample'];
    publishEverywhere(state, product.publications, madeAt);
    product.publishedAt = madeAt;
    if (options.variants === 1)
      seedVariant(state, addDefaultVariant(store, product, madeAt, changes), i, 1, `${prefix}${i}`);
    else {
      const option = addOption(store, product, 'Size', sizes);
      for (const [index, value] of option.values.entries()) {
        seedVariant(
          state,
          addVariant(store, product, [value], madeAt, changes),
          i,
          index + 1,
          `${prefix}${i}-${index + 1}`,
        );
      }
    }
    product.lastTotal = liveTotal(product);
  }
  store.version += 1;
  state.searchIndex.refresh();
}

function publishEverywhere(state: SandboxState, publications: Map<number, number>, now: number): void {
  for (const publication of state.store.publications.values()) publications.set(publication.id, now);
}

function seedVariant(state: SandboxState, variant: VariantRecord, i: number, j: number, sku: string): void {
  const cents = 1000 + (i % 5000) + 100 * (j - 1);
  variant.price = centsText(BigInt(cents));
  variant.barcode = '';
  setSku(state.store, variant.item, sku);
  variant.item.tracked = true;
  variant.item.weight = { unit: 'KILOGRAMS', value: 0.25 };
  const home = primaryLocation(state.store);
  for (const level of variant.item.levels)
    if (level.location === home) level.quantities.available = 20 + ((i * 7 + j) % 50);
}
