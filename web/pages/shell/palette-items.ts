import type { LucideIcon } from 'lucide-react';
import { wordsOf } from '../../api/error-words.ts';
import { TEXT } from '../../content/messages.en.ts';

export interface PaletteItem {
  readonly id: string;
  readonly group: 'Go to' | 'Do' | 'Records';
  readonly label: string;
  /** Keys that do the same, or what the record is known by. */
  readonly keys?: readonly string[];
  readonly note?: string;
  readonly icon: LucideIcon;
  /** Why the person may not do it; null or none: they may. */
  readonly reason?: string | null;
  readonly run: () => void;
}

/** A request that some of the items come from. */
export interface Asked {
  readonly data: unknown;
  readonly error: Error | null;
}

const GROUPS = ['Go to', 'Do', 'Records'] as const;

/** Items whose words all begin somewhere in the label, in groups, in their order. */
export function matchItems<Item extends Pick<PaletteItem, 'group' | 'label' | 'note'>>(
  items: readonly Item[],
  query: string,
): readonly Item[] {
  const words = query.trim().toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = ({ group, label, note = '' }: Item): boolean => {
    // Records were searched by the server, which knows more than their names.
    if (group === 'Records') return true;
    const text = ` ${label} ${note}`.toLocaleLowerCase();
    return words.every((word) => text.includes(` ${word}`));
  };
  return GROUPS.flatMap((group) => items.filter((item) => item.group === group && isMatch(item)));
}

/** What is noted beside an action on a pair that is called by its WooCommerce store: where that is in several pairs, the other store. */
export function toldApart(
  pairs: readonly { readonly woocommerce: { readonly name: string } }[],
  name: string,
  other: string,
): Pick<PaletteItem, 'note'> {
  return pairs.filter(({ woocommerce }) => woocommerce.name === name).length > 1 ? { note: other } : {};
}

/** What stands below the items: why something could not be asked, or, where nothing matches, whether an answer is still to come. */
export function noteBelow(count: number, asked: readonly Asked[]): string | null {
  const missing = asked.filter(({ data }) => data === undefined);
  const error = missing.find((one) => one.error !== null)?.error;
  if (error) return wordsOf(error, TEXT.palette.failed);
  if (count > 0) return null;
  return missing.length > 0 ? TEXT.palette.searching : TEXT.palette.none;
}
