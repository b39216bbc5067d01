import type { ConflictPolicy } from '../model/pair.ts';
import type { Side } from '../model/platform.ts';
import type { FieldSpec } from './fields.ts';
import { tagKey } from './normalise.ts';

/** What one side's reading means for one field, decided from three values and nothing else. */
export type FieldVerdict<T> =
  /** The side shows what the hub holds. */
  | { readonly is: 'agreed' }
  /** The side did not move; if the hub did, the side is to follow. */
  | { readonly is: 'unchanged' }
  /** The side moved, the hub did not: the hub takes the value. */
  | { readonly is: 'moved'; readonly to: T }
  /** Both moved, to different values. */
  | { readonly is: 'both_moved' };

/** [R1]..[R4] One register: base, the hub as this side would show it, and the side now. */
export function judgeRegister<T>(spec: FieldSpec<T>, base: T, hub: T, remote: T): FieldVerdict<T> {
  if (spec.same(remote, hub)) return { is: 'agreed' };
  if (spec.same(remote, base)) return { is: 'unchanged' };
  if (spec.same(base, hub)) return { is: 'moved', to: remote };
  return { is: 'both_moved' };
}

/**
 * [R8] A set: what a side added since base is added to the hub, what it removed is removed. The hub keeps its own spelling. `shown`: the hub as this side
 * would show it. A tag that it can't show as one, since a comma parts tags there, is known there by its parts: with one of them removed the others are left.
 */
export function mergeSet(
  base: readonly string[],
  hub: readonly string[],
  remote: readonly string[],
  shown: readonly string[] = hub,
): readonly string[] {
  const baseKeys = new Set(base.map(tagKey));
  const remoteKeys = new Set(remote.map(tagKey));
  const shownKeys = new Set(shown.map(tagKey));
  const isRemoved = (tag: string) => baseKeys.has(tagKey(tag)) && !remoteKeys.has(tagKey(tag));
  const known = new Set(hub.map(tagKey));
  const kept = hub.flatMap((tag) => {
    const parts = shownKeys.has(tagKey(tag)) ? [tag] : tagParts(tag);
    const left = parts.filter((part) => !isRemoved(part));
    if (left.length < parts.length) return left.filter((part) => !known.has(tagKey(part)) && known.add(tagKey(part)));
    for (const part of parts) known.add(tagKey(part));
    return [tag];
  });
  const added = remote.filter((tag) => !baseKeys.has(tagKey(tag)) && !known.has(tagKey(tag)));
  const isSame = added.length === 0 && kept.length === hub.length && kept.every((tag, i) => tag === hub[i]);
  return isSame ? hub : [...kept, ...added];
}

function tagParts(tag: string): readonly string[] {
  const parts = tag.includes(',') ? tag.split(',').flatMap((part) => part.trim() || []) : [];
  return parts.length === 0 ? [tag] : parts;
}

export interface ConflictContext {
  readonly policy: ConflictPolicy;
  readonly preferredSide: Side;
  /** The side whose reading conflicts with the hub. */
  readonly side: Side;
  /** Who moved the hub's value, and when we saw it; null when that is no longer known. */
  readonly hubSeen: { readonly side: Side; readonly at: number } | null;
  /** When this side's value, which is held in a conflict, was first seen, ms; null: it is not held. */
  readonly heldSince: number | null;
  /** When this side's reading was taken, ms. */
  readonly now: number;
  /** [L1] The two values met where only blanks were to be filled: neither ever followed the other. `moved`: this side's is another one since. */
  readonly met: 'as_they_are' | 'moved' | null;
}

export type ConflictDecision = 'hub' | 'remote' | 'person';

/** [R5][R6][R7] Who wins a register that both moved. Clocks only break the tie that the policy asks them to break. */
export function decideConflict(context: ConflictContext): ConflictDecision {
  const { policy, side, hubSeen, heldSince, now } = context;
  if (policy === 'manual') return 'person';
  if (policy === 'woocommerce' || policy === 'shopify') return policy === side ? 'remote' : 'hub';
  const remoteSeenAt = heldSince ?? now;
  // What is read now is not older than what was seen before: a clock that says so tells of no order.
  const isOrderKnown = hubSeen !== null && (hubSeen.at < remoteSeenAt || (heldSince ?? hubSeen.at) < hubSeen.at);
  // [L1] Nobody can know which of two values that were there before is the newer: neither gives way until one of them moves, or a person decides.
  if (hubSeen === null && context.met === 'as_they_are') return 'person';
  if (hubSeen === null && context.met === 'moved') return policy === 'newest' ? 'remote' : 'hub';
  if (!isOrderKnown) return context.preferredSide === side ? 'remote' : 'hub';
  return (policy === 'newest') === hubSeen.at < remoteSeenAt ? 'remote' : 'hub';
}
