import type { ProductRecord, VariantRecord } from './records.ts';
import { availableOf, hasOnlyDefaultVariant, type Store, variantTitle } from './store.ts';

/** What the search knows about a variant and a product. Under a lag this is an older picture than the records themselves. */
export interface VariantDoc {
  readonly id: number;
  readonly sku: string | null;
  readonly barcode: string | null;
  readonly title: string;
  readonly price: string;
  readonly taxable: boolean;
  readonly options: readonly string[];
  readonly updatedAt: number;
  readonly quantity: number;
}

export interface ProductDoc {
  readonly id: number;
  readonly title: string;
  readonly handle: string;
  readonly status: string;
  readonly tags: readonly string[];
  readonly vendor: string;
  readonly productType: string;
  readonly isGiftCard: boolean;
  readonly hasOnlyDefaultVariant: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly publishedAt: number | null;
  readonly collectionIds: readonly number[];
  variants(): readonly VariantDoc[];
}

export interface SearchIndex {
  /** A product was written; the search learns it after the lag. */
  note(product: ProductRecord): void;
  /** Takes the present state at once, for seeding. */
  refresh(): void;
  productDoc(product: ProductRecord): ProductDoc | null;
  variantDoc(variant: VariantRecord): VariantDoc | null;
}

export function createSearchIndex(store: Store, lagMs: () => number, now: () => number): SearchIndex {
  const indexed = new Map<number, ProductDoc>();
  const waiting: { dueAt: number; doc: ProductDoc }[] = [];

  const drain = () => {
    const at = now();
    while (waiting[0] && waiting[0].dueAt <= at) {
      const next = waiting.shift();
      if (next) indexed.set(next.doc.id, next.doc);
    }
  };

  return {
    note(product) {
      if (lagMs() === 0) return;
      drain();
      waiting.push({ dueAt: now() + lagMs(), doc: snapshotOf(product) });
    },
    refresh() {
      if (lagMs() === 0) return;
      waiting.length = 0;
      for (const product of store.products.values()) indexed.set(product.id, snapshotOf(product));
    },
    productDoc(product) {
      if (lagMs() === 0) return liveProductDoc(product);
      drain();
      return indexed.get(product.id) ?? null;
    },
    variantDoc(variant) {
      if (lagMs() === 0) return liveVariantDoc(variant);
      drain();
      return (
        indexed
          .get(variant.product.id)
          ?.variants()
          .find((doc) => doc.id === variant.id) ?? null
      );
    },
  };
}

function liveVariantDoc(variant: VariantRecord): VariantDoc {
  return {
    id: variant.id,
    sku: variant.item.sku,
    barcode: variant.barcode,
    title: variantTitle(variant),
    price: variant.price,
    taxable: variant.taxable,
    options: variant.values.map((value) => value.name),
    updatedAt: variant.updatedAt,
    quantity: availableOf(variant.item),
  };
}

function liveProductDoc(product: ProductRecord): ProductDoc {
  return {
    id: product.id,
    title: product.title,
    handle: product.handle,
    status: product.status,
    tags: product.tags,
    vendor: product.vendor,
    productType: product.productType,
    isGiftCard: product.isGiftCard,
    hasOnlyDefaultVariant: hasOnlyDefaultVariant(product),
    createdAt: product.createdAt,
    updatedAt: product.updatedAt,
    publishedAt: product.publishedAt,
    collectionIds: product.collections.map((collection) => collection.id),
    variants: () => product.variants.map(liveVariantDoc),
  };
}

function snapshotOf(product: ProductRecord): ProductDoc {
  const variants = product.variants.map(liveVariantDoc);
  return { ...liveProductDoc(product), tags: [...product.tags], variants: () => variants };
}
