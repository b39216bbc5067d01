/** A field's path as a person says it: "variant.var_01.weightMg" is the weight. Which variant, the sentence around it tells. */
export function fieldWords(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (name === 'sku') return 'SKU';
  return name
    .replace(/(Html|Mg)$/, '')
    .replace(/[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
}
