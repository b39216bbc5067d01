/**
 * A SKU as it is compared: two that differ by white space around them, by more or less of it within, or by letter case name the same goods. WooCommerce
 * keeps one space of several and refuses the one SKU beside the other, and both platforms' searches find the one by the other. Letters beyond ASCII are
 * compared as they are, as SQLite's NOCASE does.
 */
export function skuKey(sku: string): string {
  return plainSku(sku).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A SKU as it is looked up, letter case apart. White space is WordPress' own: `sanitize_text_field` folds no other. */
export function plainSku(sku: string): string {
  return sku.trim().replace(/[\r\n\t ]+/g, ' ');
}

/** True for a GTIN-8, -12, -13 or -14 with a right check digit: only such a barcode may link two records. */
export function isValidGtin(code: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(code)) return false;
  let sum = 0;
  for (let i = 0; i < code.length - 1; i += 1) {
    const weight = (code.length - i) % 2 === 0 ? 3 : 1;
    sum += (code.charCodeAt(i) - 48) * weight;
  }
  return (10 - (sum % 10)) % 10 === code.charCodeAt(code.length - 1) - 48;
}

/**
 * A barcode as it is compared: a valid GTIN in fourteen digits (a UPC-12 and the EAN-13 with a zero before it are one number, and an ISBN is one with its
 * hyphens or without); null for anything else.
 */
export function gtinKey(barcode: string): string | null {
  const code = plainBarcode(barcode);
  return isValidGtin(code) ? code.padStart(14, '0') : null;
}

/** A barcode as it is looked up: without the hyphens and spaces between the digits of a GTIN. */
export function plainBarcode(barcode: string): string {
  const code = barcode.trim();
  const digits = code.replace(/(?<=\d)[ -](?=\d)/g, '');
  return isValidGtin(digits) ? digits : code;
}

/** All the ways in which a GTIN of fourteen digits may be written down: without the zeros that only fill it up. */
export function gtinSpellings(key: string): readonly string[] {
  return [14, 13, 12, 8].flatMap((length) => (/^0*$/.test(key.slice(0, 14 - length)) ? [key.slice(14 - length)] : []));
}
