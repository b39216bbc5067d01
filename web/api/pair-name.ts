interface Named {
  readonly name: string;
}

/** "Northfold and Northfold Studio". A store can be in several pairs, which its name alone does not tell apart. */
export function pairName({ woocommerce, shopify }: { readonly woocommerce: Named; readonly shopify: Named }): string {
  return `${woocommerce.name} and ${shopify.name}`;
}
