import type { FindingLevel } from '../../model/store-info.ts';

/** Adds a finding of the doctor. */
export type Add = (code: string, level: FindingLevel, message: string, remedy?: string) => void;

/** Batches, tags and stock work from 3.5 on, GTINs from 9.2; what is older has known holes and no updates. */
const VERSION_MIN = '7.0.0';
const VERSION_WITH_FLAT_VARIATIONS = '10.3.0';
const VERSION_WITH_BARCODES = '9.2.0';
/** Products are found by them since 9.4, variations since 9.6 (woocommerce/woocommerce#51264, #52839); before, the parameter is ignored. */
const VERSION_THAT_FINDS_BARCODES = '9.6.0';
export function checkVersion(version: string, add: Add): void {
  if (version === '')
    add(
      'VERSION_UNKNOWN',
      'warning',
      'The store does not say which version of WooCommerce it runs: it is taken to be a recent one.',
      'Create the key for a user who is an administrator, and allow /wp-json/wc/v3/system_status in the firewall or security plugin.',
    );
  else if (isBefore(version, VERSION_MIN)) {
    add(
      'VERSION_TOO_OLD',
      'error',
      `WooCommerce ${version} is too old; ${VERSION_MIN} is needed.`,
      'Update WooCommerce.',
    );
  } else if (isBefore(version, VERSION_WITH_FLAT_VARIATIONS)) {
    add(
      'VERSION_SLOW',
      'warning',
      `WooCommerce ${version} has no list of all variations: each product with variations costs a request of its own.`,
      `Update WooCommerce to ${VERSION_WITH_FLAT_VARIATIONS} or newer.`,
    );
  } else add('VERSION', 'ok', `WooCommerce ${version}.`);
}

/** What a version knows of barcodes: a field, and a search for them. An unknown version is taken to be a new one. */
export function barcodesOf(version: string): { readonly hasBarcodes: boolean; readonly findsBarcodes: boolean } {
  const isSince = (other: string) => version === '' || !isBefore(version, other);
  return { hasBarcodes: isSince(VERSION_WITH_BARCODES), findsBarcodes: isSince(VERSION_THAT_FINDS_BARCODES) };
}

/** Older versions take a barcode and drop it without a word. */
export function checkBarcodes(version: string, add: Add): void {
  if (barcodesOf(version).hasBarcodes) return;
  add(
    'BARCODES_UNSUPPORTED',
    'warning',
    `WooCommerce ${version} has no field for barcodes: they are kept out of sight in this store.`,
    `Update WooCommerce to ${VERSION_WITH_BARCODES} or newer.`,
  );
}

function isBefore(version: string, other: string): boolean {
  const parts = (text: string) => text.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0);
  const [a, b] = [parts(version), parts(other)];
  for (let index = 0; index < 3; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
