import assert from 'node:assert/strict';
import { isAreaOn, mayFollow, mayLead } from '../../core/direction.ts';
import {
  type FieldSpec,
  PRODUCT_FIELD_NAMES,
  PRODUCT_FIELDS,
  parsePath,
  VARIANT_FIELD_NAMES,
  VARIANT_FIELDS,
  variantPath,
} from '../../core/fields.ts';
import { tagKey } from '../../core/normalise.ts';
import type { VariantId } from '../../model/ids.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { CanonicalProduct, VariantFields } from '../../model/product.ts';
import type { Look, Scene, Shelf } from './model.ts';

/** What must hold of every single decision, before anything of it is done. */
export function checkLook(scene: Scene, seen: Look, read: readonly Side[], settings: PairSettings): void {
  const { sides, changes } = seen.reconciliation;
  const conflicted = new Set(read.flatMap((side) => sides[side]?.conflicts.map((conflict) => conflict.path) ?? []));
  for (const side of SIDES) {
    const result = sides[side];
    if (result === undefined) continue;
    if (!mayFollow(side, settings)) assert.equal(result.write, null, 'a source is never written a field');
    for (const path of writtenPaths(result.write)) {
      assert.ok(!conflicted.has(path), `${path} waits for a person and is written to ${side}`);
      assert.ok(isAreaOn(specOf(path).area, settings), `${path} is switched off and is written to ${side}`);
      assert.notEqual(specOf(path).kind, 'create_only', `${path} travels on create only`);
    }
    // [L1] Where only blanks were filled, what met there waits for a person under every policy that goes by time.
    const waits = settings.conflictResolution === 'manual' || settings.linkRule === 'fill_blanks';
    if (!waits) assert.equal(result.conflicts.length, 0);
    for (const drift of result.drift) assert.ok(!mayLead(side, settings) && !settings.enforce, drift.path);
  }
  for (const change of changes) {
    assert.ok(isAreaOn(specOf(change.path).area, settings), `${change.path} is switched off and moved the hub`);
    const isOwn = change.cause === 'enforced' || change.cause === 'kept_hub';
    if (!isOwn) assert.ok(mayLead(change.origin, settings), `${change.path} was moved by a target`);
  }
  for (const side of read) checkKept(scene, seen, side, settings);
}

/** What a side showed that we had not known: it is in the hub now, is held for a person, or stands in the changes. */
function checkKept(scene: Scene, seen: Look, side: Side, settings: PairSettings): void {
  const result = seen.reconciliation.sides[side];
  const remote = seen.remotes[side];
  const base = scene.memory.bases[side];
  const { hub } = seen.memory;
  if (result === undefined || remote === undefined || base === undefined || hub === null) return;
  const held = new Set([...result.conflicts, ...result.drift].map((hold) => hold.path));
  const recorded = seen.reconciliation.changes;
  const shown = scene.represent[side](hub);
  for (const at of placesOf(remote, base, hub, shown)) {
    const { spec, path, value } = at;
    if (spec.kind !== 'register' || held.has(path) || !isAreaOn(spec.area, settings)) continue;
    if (spec.same(value, at.base) || spec.same(value, at.hub) || spec.same(value, at.shown)) continue;
    const isRecorded = recorded.some(
      (change) => change.path === path && (spec.same(change.from, value) || spec.same(change.to, value)),
    );
    assert.ok(isRecorded, `${side} ${path} ${JSON.stringify(value)} is lost without a trace`);
  }
}

interface Place {
  readonly path: string;
  readonly spec: FieldSpec<unknown>;
  readonly value: unknown;
  readonly base: unknown;
  readonly hub: unknown;
  readonly shown: unknown;
}

function placesOf(
  remote: CanonicalProduct,
  base: CanonicalProduct,
  hub: CanonicalProduct,
  shown: CanonicalProduct,
): readonly Place[] {
  const places: Place[] = PRODUCT_FIELD_NAMES.map((name) => ({
    path: name,
    spec: PRODUCT_FIELDS[name] as FieldSpec<unknown>,
    value: remote.fields[name],
    base: base.fields[name],
    hub: hub.fields[name],
    shown: shown.fields[name],
  }));
  for (const [id, variant] of Object.entries(remote.variants) as [VariantId, VariantFields][]) {
    const [known, merged, seen] = [base.variants[id], hub.variants[id], shown.variants[id]];
    if (known === undefined || merged === undefined || seen === undefined) continue;
    for (const name of VARIANT_FIELD_NAMES) {
      const spec = VARIANT_FIELDS[name] as FieldSpec<unknown>;
      const values = { value: variant[name], base: known[name], hub: merged[name], shown: seen[name] };
      places.push({ path: variantPath(id, name), spec, ...values });
    }
  }
  return places;
}

/** After a round: who leads has lost no tag that it added, and what it removed is gone. */
export function checkTags(before: Scene, seen: Look, after: Scene, settings: PairSettings): void {
  if (!settings.syncProducts) return;
  for (const side of SIDES) {
    const base = before.memory.bases[side];
    const remote = seen.remotes[side];
    if (base === undefined || remote === undefined || !mayLead(side, settings)) continue;
    const known = new Set(base.fields.tags.map(tagKey));
    const now = new Set(remote.fields.tags.map(tagKey));
    const end = new Set(after.shelves[side].fields.tags.map(tagKey));
    for (const key of now) if (!known.has(key)) assert.ok(end.has(key), `${side} added tag ${key}, and it is gone`);
  }
}

/** What is kept the same: without the variants that were removed on the other side. The shop's numbers tell of those too, so that each variant goes by its place. */
export function keptShelf({ shelves, memory }: Scene, side: Side): Shelf {
  const variants = Object.entries(shelves[side].variants)
    .filter(([id]) => !memory.removed.has(memory.bound[side].get(id)))
    .map(([, variant], place) => [`no. ${place + 1}`, variant]);
  return { ...shelves[side], variants: Object.fromEntries(variants) };
}

/** Everything that is kept the same, tags up to their spelling [R8]. */
export function isSameShelf(a: Shelf, b: Shelf): boolean {
  const ids = Object.keys(a.variants);
  return (
    PRODUCT_FIELD_NAMES.every(
      (name) => name === 'handle' || (PRODUCT_FIELDS[name] as FieldSpec<unknown>).same(a.fields[name], b.fields[name]),
    ) &&
    ids.length === Object.keys(b.variants).length &&
    ids.every((id) => {
      const [own, other] = [a.variants[id], b.variants[id]];
      return (
        own !== undefined &&
        other !== undefined &&
        VARIANT_FIELD_NAMES.every((name) => (VARIANT_FIELDS[name] as FieldSpec<unknown>).same(own[name], other[name]))
      );
    })
  );
}

const specs = new Map<string, FieldSpec<unknown>>();

function specOf(path: string): FieldSpec<unknown> {
  const known = specs.get(path);
  if (known !== undefined) return known;
  const parsed = parsePath(path);
  assert.ok(parsed, path);
  const spec = parsed.variantId === null ? PRODUCT_FIELDS[parsed.name] : VARIANT_FIELDS[parsed.name];
  specs.set(path, spec as FieldSpec<unknown>);
  return spec as FieldSpec<unknown>;
}

function writtenPaths(write: { readonly fields: object; readonly variants: Readonly<Record<string, object>> } | null) {
  if (write === null) return [];
  return [
    ...Object.keys(write.fields),
    ...Object.entries(write.variants).flatMap(([id, fields]) =>
      Object.keys(fields).map((name) => variantPath(id as VariantId, name as (typeof VARIANT_FIELD_NAMES)[number])),
    ),
  ];
}
