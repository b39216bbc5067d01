import { invalidId } from '../graphql/api-error.ts';

/** Global ids. Numbers are of a realistic size (13 digits) and run on per kind, so that a run can be repeated exactly. */

const FIRST_IDS: Readonly<Record<string, number>> = {
  Product: 8_100_000_000_000,
  ProductVariant: 44_100_000_000_000,
  InventoryItem: 46_200_000_000_000,
  InventoryLevel: 113_000_000_000,
  ProductOption: 10_300_000_000_000,
  ProductOptionValue: 2_400_000_000_000,
  MediaImage: 33_500_000_000_000,
  Location: 71_000_000_000,
  Order: 5_600_000_000_000,
};
const FIRST_ID_OTHER = 1_200_000_000_000;

export type IdMaker = (kind: string) => number;

export function createIdMaker(): IdMaker {
  const next = new Map<string, number>();
  return (kind) => {
    const id = (next.get(kind) ?? FIRST_IDS[kind] ?? FIRST_ID_OTHER) + 1;
    next.set(kind, id);
    return id;
  };
}

export function gidOf(kind: string, id: number | string): string {
  return `gid://shopify/${kind}/${id}`;
}

export interface ParsedGid {
  readonly kind: string;
  readonly id: number;
  readonly query: string | null;
}

export function parseGid(gid: string): ParsedGid | null {
  const match = /^gid:\/\/shopify\/([A-Za-z]\w*)\/(\d+)(?:\?(.*))?$/.exec(gid);
  if (!match?.[1] || !match[2]) return null;
  return { kind: match[1], id: Number(match[2]), query: match[3] ?? null };
}

/** The number inside a gid of the wanted kind; a gid of another kind is RESOURCE_NOT_FOUND "Invalid id". */
export function idOfKind(kind: string, gid: unknown): number {
  const parsed = typeof gid === 'string' ? parseGid(gid) : null;
  if (parsed?.kind !== kind) throw invalidId(String(gid));
  return parsed.id;
}
