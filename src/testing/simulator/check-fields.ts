import { snapshotOf } from '../../connectors/memory/records.ts';
import { isAreaOn, mayFollow, mayLead } from '../../core/direction.ts';
import {
  type FieldSpec,
  PRODUCT_FIELD_NAMES,
  PRODUCT_FIELDS,
  VARIANT_FIELD_NAMES,
  VARIANT_FIELDS,
  variantPath,
} from '../../core/fields.ts';
import { listOpenConflicts } from '../../db/writers/history.ts';
import { loadHub } from '../../engine/hub.ts';
import { loadPairView } from '../../engine/pair-view.ts';
import { hiddenIn, shownOn } from '../../engine/products/shown.ts';
import type { ProductId } from '../../model/ids.ts';
import { otherSide, SIDES } from '../../model/platform.ts';
import type { Violation } from './check.ts';
import type { CoverageTally } from './coverage.ts';
import { driftOf, hasProblem } from './told.ts';
import { PAIR_ID, type World } from './world.ts';

/** [I1] Each linked record agrees with the hub on every field that syncs, up to what the platform can represent. */
export function checkFields(world: World, ids: readonly ProductId[], coverage: CoverageTally): readonly Violation[] {
  const violations: Violation[] = [];
  const view = loadPairView(world.life().ctx, PAIR_ID);
  if (view === null) return [{ invariant: 'I1 convergence', message: 'the pair is gone' }];
  for (const id of ids) {
    const hub = loadHub(world.db, id);
    if (hub === null || hub.row.state !== 'live') continue;
    if (SIDES.every((side) => hub.bindings[side] === undefined) && !hasProblem(world, id))
      violations.push({
        invariant: 'I6 deletes are guarded',
        message: `${hub.row.title} (${id}) is in neither shop, and was not taken for deleted`,
      });
    // Left alone, and told: fields that wait for a person, and drift that nobody asked to be written over.
    const conflicts = new Set([...listOpenConflicts(world.db, id).map((row) => row.field), ...driftOf(world, id)]);
    for (const side of SIDES) {
      const binding = hub.bindings[side];
      if (binding === undefined || !mayFollow(side, view.settings)) continue;
      const record = binding.externalId === null ? undefined : world.shops[side].shelf.products.get(binding.externalId);
      if (record === undefined || record.isTrashed) {
        coverage.leftOut('record', 'not there');
        if (!hasProblem(world, id) && !conflicts.has('deleted'))
          violations.push({
            invariant: 'I1 convergence',
            message: `${side} has no live record for ${hub.row.title} (${id}), and nobody was told`,
          });
        continue;
      }
      if (hasProblem(world, id)) {
        coverage.leftOut('record', 'problem');
        continue;
      }
      coverage.compared('record');
      const truth = snapshotOf(record);
      const shown = shownOn(view, side, hiddenIn(view, hub, side, truth))(hub.row.data);
      for (const name of PRODUCT_FIELD_NAMES) {
        const spec = PRODUCT_FIELDS[name] as FieldSpec<unknown>;
        if (spec.kind === 'create_only' || !isAreaOn(spec.area, view.settings)) continue;
        if (conflicts.has(name)) coverage.leftOut('field', 'told');
        else coverage.compared('field');
        if (conflicts.has(name) || spec.same(shown.fields[name], truth.fields[name])) continue;
        violations.push({
          invariant: 'I1 convergence',
          message: `${side} ${record.id} ${name} is ${JSON.stringify(truth.fields[name])}, the hub (${id}) says ${JSON.stringify(shown.fields[name])}`,
        });
      }
      const there = hub.variantBindings[otherSide(side)];
      for (const variantId of view.settings.syncProducts ? there.keys() : []) {
        if (hub.variantBindings[side].has(variantId) || shown.variants[variantId] === undefined) continue;
        if (hub.variants.get(variantId)?.stockState === 'removed') continue;
        violations.push({
          invariant: 'I1 convergence',
          message: `${side} ${record.id} was never given the variant ${variantId} of ${id}, and nobody was told`,
        });
      }
      for (const variant of truth.variants) {
        const own = [...hub.variantBindings[side].values()].find((row) => row.externalId === variant.externalId);
        if (own === undefined && !mayLead(side, view.settings)) continue;
        if (own === undefined) {
          violations.push({
            invariant: 'I1 convergence',
            message: `${side} variant ${variant.externalId} of ${id} is not bound`,
          });
          continue;
        }
        if (hub.variants.get(own.variantId)?.stockState === 'removed') continue;
        for (const name of VARIANT_FIELD_NAMES) {
          const spec = VARIANT_FIELDS[name] as FieldSpec<unknown>;
          const value = shown.variants[own.variantId]?.[name];
          if (spec.kind === 'create_only' || !isAreaOn(spec.area, view.settings)) continue;
          const isTold = conflicts.has(variantPath(own.variantId, name));
          if (isTold) coverage.leftOut('field', 'told');
          else coverage.compared('field');
          if (isTold || spec.same(value, variant.fields[name])) continue;
          violations.push({
            invariant: 'I1 convergence',
            message: `${side} ${variant.externalId} ${name} is ${JSON.stringify(variant.fields[name])}, the hub (${id}) says ${JSON.stringify(value)}`,
          });
        }
      }
    }
  }
  return [...violations, ...checkCovered(world)];
}

/** [I1] Every live record of either shop is known to the pair, or a person was told why not. */
function checkCovered(world: World): readonly Violation[] {
  const bound = new Set(
    (
      world.db.connection
        .prepare('SELECT side, external_id FROM product_binding WHERE external_id IS NOT NULL')
        .all() as { side: string; external_id: string }[]
    ).map((row) => `${row.side}:${row.external_id}`),
  );
  const told = new Set(
    (
      world.db.connection.prepare("SELECT subject FROM problem WHERE state = 'open'").all() as { subject: string }[]
    ).map((row) => row.subject),
  );
  const violations: Violation[] = [];
  for (const side of SIDES) {
    for (const record of world.shops[side].shelf.products.values()) {
      const key = `${side}:${record.id}`;
      if (record.isTrashed || bound.has(key) || told.has(key)) continue;
      violations.push({
        invariant: 'I1 convergence',
        message: `${side} ${record.id} "${record.fields.title}" is not known to the pair, and nobody was told`,
      });
    }
  }
  return violations;
}
