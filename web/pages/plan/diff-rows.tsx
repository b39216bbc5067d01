import type { PlanItem, PlannedField, PlannedStock } from '../../api/plans.ts';
import type { DiffCell, DiffRow } from '../../components/diff-table.tsx';
import { fieldName, fieldValue } from '../../components/field-value.ts';
import type { Side } from '../../components/side.ts';
import { formatNumber } from '../../hooks/format.ts';

const SIDES: readonly Side[] = ['woocommerce', 'shopify'];

/** A side that is not written already says what the other one is given. */
function cellOf(side: Side, fields: readonly PlannedField[], item: PlanItem, currency: string | null): DiffCell {
  const own = fields.find((field) => field.side === side);
  const value = own ?? fields[0];
  const text = value ? fieldValue(value.field, value.to, currency) : '';
  if (!own) return { value: text, isTarget: false };
  const isNew = item.action === 'create' || own.from === null || own.from === undefined;
  return { value: text, isTarget: true, ...(isNew ? {} : { old: fieldValue(own.field, own.from, currency) }) };
}

function stockCell(side: Side, line: PlannedStock, item: PlanItem): DiffCell {
  const now = line[side];
  const text = (quantity: number | null): string => (quantity === null ? 'Not counted' : formatNumber(quantity));
  const isCreated = item.action === 'create' && item.side === side;
  if (line.result === null) return { value: isCreated ? '' : text(now), isTarget: false };
  if (now === line.result || (line.only ?? side) !== side) return { value: text(now), isTarget: false };
  return { value: text(line.result), isTarget: true, ...(now === null ? {} : { old: text(now) }) };
}

/** "Slate / 350 ml: Price" is the price of a variant. */
function splitLabel(name: string): readonly [string, string | undefined] {
  const cut = name.lastIndexOf(': ');
  return cut < 0 ? [name, undefined] : [name.slice(cut + 2), name.slice(0, cut)];
}

const RULE: Readonly<Record<string, string>> = {
  "both sides' changes add up": 'Changes of both sides add up',
  'first link: smaller': 'First link: the smaller number',
  'first link: sum': 'First link: the sum',
  'first link: woocommerce': 'First link: WooCommerce counts',
  'first link: shopify': 'First link: Shopify counts',
  'as it is': 'As it is',
};

/** The rule by which a number comes about, in words. */
function ruleText(rule: string): string {
  return RULE[rule] ?? `${rule.charAt(0).toUpperCase()}${rule.slice(1)}`;
}

/** A number that stays as it is on both sides is no news. */
function isNews({ woocommerce, shopify, result }: PlannedStock): boolean {
  return result === null || woocommerce !== result || shopify !== result;
}

/** The fields of a plan item, left and right, with which way each goes. Stock lines say the rule, not only the number. */
export function diffRowsOf(item: PlanItem, currency: string | null): DiffRow[] {
  const kind = item.action === 'create' ? 'add' : item.action === 'archive' ? 'del' : 'mod';
  const names = [...new Set(item.fields.map(({ field }) => field))];
  const fields = names.map((name): DiffRow => {
    const same = item.fields.filter(({ field }) => field === name);
    const [woocommerce, shopify] = SIDES.map((side) => cellOf(side, same, item, currency)) as [DiffCell, DiffCell];
    const [label, variant] = splitLabel(name);
    return { key: name, field: fieldName(label), note: variant, kind, woocommerce, shopify };
  });
  const stock = item.stock.filter(isNews).map((line): DiffRow => {
    const [woocommerce, shopify] = SIDES.map((side) => stockCell(side, line, item)) as [DiffCell, DiffCell];
    return {
      key: `stock/${line.label}`,
      field: 'Stock',
      note:
        item.stock.length === 1 || line.label === '' ? ruleText(line.rule) : `${line.label}. ${ruleText(line.rule)}`,
      kind,
      woocommerce,
      shopify,
    };
  });
  return [...fields, ...stock];
}
