import type { FieldSeen } from '../model/hub.ts';
import type { VariantId } from '../model/ids.ts';
import type { PairSettings } from '../model/pair.ts';
import type { PerSide, Side } from '../model/platform.ts';
import type { CanonicalProduct, ProductFields, VariantFields } from '../model/product.ts';
import type { FieldPath } from './fields.ts';

/** One side of a product, as the merge sees it. */
export interface SideInput {
  readonly side: Side;
  /** What hub and side last agreed on, as the side shows it; its variants are those that are bound there. */
  readonly base: CanonicalProduct;
  /** The side now, variants by hub id; null when it was not read in this pass. */
  readonly remote: CanonicalProduct | null;
  represent(product: CanonicalProduct): CanonicalProduct;
  /** When the reading was taken, ms. */
  readonly readAt: number;
}

export interface ReconcileInput {
  readonly hub: CanonicalProduct;
  readonly seen: FieldSeen;
  /** In the order in which the readings are absorbed. */
  readonly sides: readonly SideInput[];
  readonly settings: PairSettings;
  readonly past?: FieldPast;
}

/** What is known of a record's fields beside hub and bases. */
export interface FieldPast {
  /** [R11] Whether a target has turned `to` into `from` again and again lately, whenever it was put right. */
  isFutile(side: Side, path: FieldPath, from: unknown, to: unknown): boolean;
  /**
   * [R19] Whether a side has made `to` of the hub's `from` again and again lately, and the other side has undone it as often; or the two have driven each
   * other on. `remote`: what it shows.
   */
  isBackAndForth(
    side: Side,
    path: FieldPath,
    move: { readonly from: unknown; readonly to: unknown; readonly remote: unknown },
  ): boolean;
  /** [R19] Whether a person was told that this value of a side goes back and forth. */
  isHeldBack(side: Side, path: FieldPath, remote: unknown): boolean;
  /** [R6] When a value of a side that is held in a conflict was first seen there, ms; null: it is not held. */
  heldSince(side: Side, path: FieldPath, remote: unknown): number | null;
  /** [L1] Whether another value of that side is held in a conflict: this one was typed since. */
  isHeldAsElse(side: Side, path: FieldPath, remote: unknown): boolean;
}

/** The hub's value of one field moved, or was kept against a side's. */
export interface FieldChange {
  readonly path: FieldPath;
  readonly from: unknown;
  readonly to: unknown;
  /** The side whose reading caused it. */
  readonly origin: Side;
  /** `kept_hub`: `from` is the losing value of `origin`, `to` is what the hub keeps. */
  readonly cause: 'outside_change' | 'conflict_remote' | 'kept_hub' | 'enforced';
}

export interface OpenConflict {
  readonly path: FieldPath;
  readonly base: unknown;
  readonly hub: unknown;
  readonly remote: unknown;
}

export interface SideWrite {
  readonly fields: Partial<ProductFields>;
  readonly variants: Readonly<Record<VariantId, Partial<VariantFields>>>;
  readonly newVariants: readonly VariantId[];
}

export interface SideResult {
  /** Whether the side was read in this pass: what was not read proves nothing about its conflicts. */
  readonly wasRead: boolean;
  readonly base: CanonicalProduct;
  /** What this side must be given; null when nothing. Only meaningful after the side was read. */
  readonly write: SideWrite | null;
  readonly conflicts: readonly OpenConflict[];
  /** Values that differ and are left alone: on the target of a one-way pair [R11], or because they go back and forth [R19]. */
  readonly drift: readonly OpenConflict[];
}

export interface Reconciliation {
  readonly hub: CanonicalProduct;
  readonly seen: FieldSeen;
  readonly changes: readonly FieldChange[];
  readonly sides: Partial<PerSide<SideResult>>;
}
