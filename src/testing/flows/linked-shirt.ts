import type { Story } from './depth/story.ts';

/** The same shirt in both stores, linked, a variant for each row, 5 of each: its SKU is made of its values (`T-S-Red`). Another product is beside it. */
export async function linkShirt(story: Story, options: readonly string[], rows: readonly (readonly string[])[]) {
  const sku = (values: readonly string[]) => `T-${values.join('-')}`;
  const asOptions = (values: readonly string[]) =>
    Object.fromEntries(options.map((name, index) => [name, values[index] ?? '']));
  story.woo.addProduct({
    title: 'Shirt',
    variations: rows.map((values) => ({
      sku: sku(values),
      regularPrice: '9.00',
      stock: 5,
      options: asOptions(values),
    })),
  });
  story.shop.addProduct({
    title: 'Shirt',
    optionNames: [...options],
    variants: rows.map((values) => ({ sku: sku(values), price: '9.00', stock: 5, optionValues: [...values] })),
  });
  story.addBoth('BOWL');
  await story.link();
  const [first] = rows;
  return {
    wooId: story.item('woocommerce', sku(first!)).productId,
    shopId: story.item('shopify', sku(first!)).productId,
  };
}
