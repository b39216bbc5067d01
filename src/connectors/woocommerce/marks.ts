import type { Mark } from '../../model/snapshot.ts';
import type { WireMeta } from './wire.ts';

/** Underscore: hidden from the merchant's custom-fields box, yet readable and writable through REST. */
const MARK_KEY = '_twinshelf_mark';
const STAMP_KEY = '_twinshelf_stock';
/** Where barcodes stay in versions of WooCommerce that have no field for them. */
const BARCODE_KEY = '_twinshelf_barcode';
/** The SKU of a variant that had to let go of it for a moment. */
const SKU_KEY = '_twinshelf_sku';
/** The SKU that a variation had when we put it away. */
const PUT_AWAY_KEY = '_twinshelf_put_away';

/** Marks are kept as a list of "pair:hub". Whatever else is found under our key is ignored, never an error. */
export function readMarks(meta: readonly WireMeta[]): Mark[] {
  const marks: Mark[] = [];
  for (const { key, value } of meta) {
    if (key !== MARK_KEY) continue;
    for (const text of Array.isArray(value) ? value : [value]) {
      const match = typeof text === 'string' ? /^([^:]+):([^:]+)$/.exec(text) : null;
      if (match?.[1] && match[2]) marks.push({ pairId: match[1], hubId: match[2] });
    }
  }
  return marks;
}

/** `marks` with `mark` added; that of the same pair is replaced, those of other pairs stay. */
export function withMark(marks: readonly Mark[], mark: Mark): Mark[] {
  return [...marks.filter((other) => other.pairId !== mark.pairId), mark];
}

/** Written by key: WordPress replaces the value of the first entry of that key. */
export function markMeta(marks: readonly Mark[]): WireMeta {
  return { key: MARK_KEY, value: marks.map((mark) => `${mark.pairId}:${mark.hubId}`) };
}

export function isSameMark(a: Mark, b: Mark): boolean {
  return a.pairId === b.pairId && a.hubId === b.hubId;
}

export function readStamp(meta: readonly WireMeta[]): string | null {
  return textAt(meta, STAMP_KEY);
}

export function stampMeta(key: string): WireMeta {
  return { key: STAMP_KEY, value: key };
}

/** The barcode that we kept ourselves; null when there is none. */
export function readKeptBarcode(meta: readonly WireMeta[]): string | null {
  return textAt(meta, BARCODE_KEY);
}

export function barcodeMeta(barcode: string): WireMeta {
  return { key: BARCODE_KEY, value: barcode };
}

/** The SKU that we kept while another variation took its place; null when there is none. */
export function readKeptSku(meta: readonly WireMeta[]): string | null {
  return textAt(meta, SKU_KEY);
}

export function skuMeta(sku: string): WireMeta {
  return { key: SKU_KEY, value: sku };
}

/** A list, since the variation need not have had a SKU. Null: it is shown again. */
export function putAwayMeta(sku: string | null): WireMeta {
  return { key: PUT_AWAY_KEY, value: sku === null ? '' : [sku] };
}

/** The SKU that a variation had when we put it away; null when it was not we who did. */
export function readPutAwaySku(meta: readonly WireMeta[]): string | null {
  const value = meta.find(({ key }) => key === PUT_AWAY_KEY)?.value;
  const [sku] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  return typeof sku === 'string' ? sku : null;
}

function textAt(meta: readonly WireMeta[], wanted: string): string | null {
  const entry = meta.find(({ key }) => key === wanted);
  return typeof entry?.value === 'string' && entry.value !== '' ? entry.value : null;
}

/** What WordPress notes when it puts a record into the bin; by hand a record can come and go several times, and the last word counts. */
const STATUS_BEFORE_BIN = '_wp_trash_meta_status';

/** The status that a record in the bin had before; null when the store doesn't tell. */
export function readStatusBeforeBin(meta: readonly WireMeta[]): string | null {
  const entry = meta.filter(({ key }) => key === STATUS_BEFORE_BIN).at(-1);
  return typeof entry?.value === 'string' && entry.value !== '' ? entry.value : null;
}
