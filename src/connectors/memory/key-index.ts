import { type SearchKey, searchKeys } from '../../model/search-key.ts';
import type { StockItem } from './records.ts';

/** Which items bear a SKU or a GTIN now. */
export class KeyIndex {
  readonly #items = new Map<SearchKey, Set<StockItem>>();

  bearing(key: SearchKey): readonly StockItem[] {
    return [...(this.#items.get(key) ?? [])];
  }

  add(item: StockItem): void {
    for (const key of searchKeys(item.variant.fields))
      this.#items.set(key, (this.#items.get(key) ?? new Set()).add(item));
  }

  /** While it still bears what it was added with. */
  remove(item: StockItem): void {
    for (const key of searchKeys(item.variant.fields)) this.#items.get(key)?.delete(item);
  }
}
