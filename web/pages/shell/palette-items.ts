import type { LucideIcon } from 'lucide-react';

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
