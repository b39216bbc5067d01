import type { PerSide, Side } from './platform.ts';

export const PLAN_ACTIONS = ['link', 'create', 'update', 'archive', 'ambiguous', 'skip', 'none'] as const;
/**
 * link: two records become one (with or without writes) · create: a counterpart is made · update: a linked record is brought level ·
 * archive: the counterpart of a deleted record is put away · ambiguous: a person must choose · skip: refused, with the reason ·
 * none: already level.
 */
export type PlanAction = (typeof PLAN_ACTIONS)[number];

/** One field that would be written on one side. Values are canonical JSON. */
export interface PlannedField {
  readonly side: Side;
  /** Field path: `title`, `variant.<sku or options>.price`, ... for people; the variant's name, not its id. */
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

export interface PlannedStock {
  readonly label: string;
  readonly woocommerce: number | null;
  readonly shopify: number | null;
  /** What both would become by the rule, at the numbers seen now. Apply reads again. */
  readonly result: number | null;
  readonly rule: string;
  /** The one side that is written, where the other keeps its number. */
  readonly only?: Side;
}

/** Whether a side would be given another number than it shows. */
export function isStockWritten(line: PlannedStock, side: Side): boolean {
  return line.result !== null && line[side] !== line.result && (line.only ?? side) === side;
}

export interface PlanItemData {
  /** Side that a create or archive happens on. */
  readonly side: Side | null;
  /** How the two were matched: mark, barcode, sku, handle; or why it was skipped. */
  readonly reason: string;
  /** Left out because its platform is known to refuse it [B12]. */
  readonly isRefused?: boolean;
  /** What of an update its platform is known to refuse, in its words: the rest is written without it [B12]. */
  readonly refused?: readonly { readonly side: Side; readonly message: string }[];
  readonly fields: readonly PlannedField[];
  readonly stock: readonly PlannedStock[];
  readonly imageUrl: string;
  /** Fields that both sides moved and that wait for a person: held back. */
  readonly conflicts: number;
  /** Titles of two that are to be linked although these differ and nothing but their handles ties them: to be looked at twice. */
  readonly unlike?: PerSide<string>;
  /** Other records that could be meant, for `ambiguous`. */
  readonly candidates?: readonly { readonly side: Side; readonly externalId: string; readonly title: string }[];
}

/** Whether an item would write on a side: it is made or put away there, or a field or the stock of it is changed there. */
export function isItemWritten({ action, data }: { action: string; data: PlanItemData }, side: Side): boolean {
  if (action === 'ambiguous' || action === 'skip' || action === 'none') return false;
  if (data.side === side || data.fields.some((field) => field.side === side)) return true;
  return data.side === null && data.stock.some((line) => isStockWritten(line, side));
}

export interface SideCounts {
  readonly create: number;
  readonly update: number;
  readonly archive: number;
  readonly stock: number;
}

export interface PlanCounts {
  readonly woocommerce: SideCounts;
  readonly shopify: SideCounts;
  readonly linked: number;
  readonly level: number;
  readonly ambiguous: number;
  readonly skipped: number;
  readonly conflicts: number;
  /** Of what is linked: `PlanItemData.unlike`. */
  readonly unlike: number;
  readonly read: { readonly woocommerce: number; readonly shopify: number };
}
