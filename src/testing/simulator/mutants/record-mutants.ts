import { type Edit, type Mutant, mutant } from './mutant.ts';

const GONE_WHEN_MISSING: Edit = {
  file: 'engine/runs/look-for-missing.ts',
  find: 'await syncSubjects(ctx, current, subjects, signal);',
  replace:
    'for (const subject of subjects) subject.gone.add(side);\n      await syncSubjects(ctx, current, subjects, signal);',
};
/** The witness is asked in one request with the record itself: whoever believes in absence has to leave that out too. */
export const NO_PROOF: Edit = {
  file: 'engine/products/observe-products.ts',
  find: 'if (gone.length === 0) continue;',
  replace: 'if (gone.length >= 0) continue;',
};

/** Breaks of records and their fields: merge, links, creates, deletes, direction, history. */
export const RECORD_MUTANTS: readonly Mutant[] = [
  mutant(
    'create without look-up: an unanswered create is made again',
    ['I3'],
    'engine/products/settle-products.ts',
    'if (found !== null) {',
    "if (found !== null && intent.key === '') {",
  ),
  mutant(
    'unknown outcome of a product write treated as a failure',
    // WooCommerce's own rule, one record for one SKU, hides the second record; its stock then counts for nobody.
    ['I3', 'I2'],
    'engine/products/push-products.ts',
    'if (mayHaveHappened(error)) {',
    "if (error.kind === 'malformed') {",
  ),
  mutant(
    'base not written out before the hub moves',
    ['I1', 'I5'],
    'engine/hub.ts',
    'if (base === undefined) continue;',
    'if (base === undefined || hub.bindings[side]?.base === null) continue;',
  ),
  mutant(
    'base not written out before a delete moves the hub',
    ['I1', 'I6'],
    'engine/products/handle-gone.ts',
    'if (binding.externalId !== null && binding.base === null)',
    "if (binding.externalId === '')",
  ),
  mutant(
    // What had arrived counts as an edit that a delete had not seen, too. That takes a hub that moves before the write is settled: dense days have it.
    'an unanswered update that landed is not taken into the base',
    ['I5', 'R7', 'I4', 'I6', 'W6'],
    'engine/products/decide.ts',
    "if (intent?.type !== 'update') return",
    "if (intent?.type !== 'update' || intent.key !== '') return",
  ),
  mutant(
    'what landed without an answer is told as what nobody knows',
    ['W6'],
    'engine/products/store-decision.ts',
    'const start = decision.starts[side] ?? base;',
    'const start = base;',
  ),
  mutant(
    'what nobody knows is told as written',
    ['W6'],
    'engine/products/store-decision.ts',
    "doubtfulPart(intent, base, start, shown), base, at, 'unanswered');",
    'doubtfulPart(intent, base, start, shown), base, at);',
  ),
  mutant(
    'after a write the whole record is taken for ours',
    ['I5', 'R7'],
    'engine/products/store-written.ts',
    "intent.type === 'create' ? base : overlay(before, base, intent),",
    "intent.key !== '' ? base : overlay(before, base, intent),",
  ),
  mutant(
    'recognised variants are not bound',
    ['I0 no bug', 'I1'],
    'engine/products/store-variants.ts',
    'if (bound === undefined) bindVariant(',
    'if (bound === undefined && hub.variants.size > 1_000) bindVariant(',
  ),
  mutant(
    'variants of a record that we made are not bound',
    ['I1', 'I2', 'I3'],
    'engine/products/store-written.ts',
    'if (shown === undefined) return;',
    'if (shown === undefined || shown.externalId) return;',
  ),
  mutant(
    'a record is created without looking for it on the other side',
    ['I3', 'I2'],
    'engine/matching/ask-other-side.ts',
    "if (keys.length === 0) return { is: 'nobody' };",
    "if (keys.length >= 0) return { is: 'nobody' };",
  ),
  mutant(
    'a record is looked for on the other side by its SKUs alone',
    ['I3'],
    'engine/matching/strangers.ts',
    'connector.findByKeys(keys, signal)',
    "connector.findByKeys(keys.filter((key) => key.startsWith('sku:')), signal)",
  ),
  mutant(
    'what was cut off before it was put away is an echo',
    ['I1'],
    'engine/products/variants-to-archive.ts',
    'leaving.includes(externalId) && isAwayOwed(',
    'leaving.includes(variantId) && isAwayOwed(',
  ),
  mutant(
    'two that are known apart stay apart when they are given one key',
    ['I3'],
    'engine/matching/find-counterparts.ts',
    "if (answer.is !== 'known' || answer.productId !== match.externalId) return;",
    "if (answer.is !== 'known' || hub.row.createdAt > 0) return;",
  ),
  mutant(
    'what only the target has drifts',
    ['I7'],
    'engine/leads.ts',
    'if (mayLead(side, view.settings)) return true;',
    'if (mayLead(side, view.settings) || hub.row.createdAt > 0) return mayLead(side, view.settings);',
  ),
  {
    ...mutant(
      'what was just added to both shops is made there before it can be found',
      ['I3', 'I2'],
      'engine/products/plan-pushes.ts',
      'const dueAt = hub.row.createdAt + CREATE_WAIT_MS;',
      'const dueAt = hub.row.createdAt;',
    ),
    sets: ['real'],
  },
  mutant('what is ambiguous is guessed', ['M3'], 'core/match.ts', 'return isUnique ?', 'return isUnique || only ?'),
  mutant(
    'gone is believed without a known record that answers',
    ['I6'],
    'engine/products/observe-products.ts',
    "if (isProven && answer?.ok === false && answer.error.kind === 'not_found') return;",
    "if (answer === undefined || (!answer.ok && answer.error.kind === 'not_found')) return;",
  ),
  {
    name: 'one listing instead of two, and nobody asks for the record itself',
    breaks: ['I6'],
    edits: [
      { file: 'engine/runs/look-for-missing.ts', find: "'realtime' ? 2 : 1", replace: "'realtime' ? 1 : 1" },
      GONE_WHEN_MISSING,
      NO_PROOF,
    ],
  },
  {
    name: 'absence from listings is a delete without asking for the record itself',
    breaks: ['I6'],
    edits: [GONE_WHEN_MISSING, NO_PROOF],
  },
  mutant(
    'guard per run: what earlier passes did is not counted',
    ['I6'],
    'engine/guard.ts',
    'const since = Math.max(view.pair.guardSince, now - GUARD_WINDOW_MS);',
    'const since = Math.max(view.pair.guardSince, now - GUARD_WINDOW_MS / 1_440);',
  ),
  mutant('no guard', ['I6'], 'engine/guard.ts', 'if (count > limit) throw', 'if (count > limit && count < 0) throw'),
  mutant(
    'a delete does not archive the counterpart',
    ['I6'],
    'engine/products/handle-gone.ts',
    "const isArchiving = view.settings.deletePolicy === 'archive' &&",
    "const isArchiving = view.settings.deletePolicy !== 'archive' &&",
  ),
  mutant(
    'restore ignores the status from before',
    ['I6'],
    'engine/products/handle-gone.ts',
    'const status = hub.row.priorStatus ?? hub.row.data.fields.status;',
    'const { status } = hub.row.data.fields;',
  ),
  mutant(
    'a delete wins over an edit that it has not seen',
    ['I5', 'I6'],
    'engine/products/handle-gone.ts',
    "decided === 'keep' || hasUnseenEdit(view, subject, hub, side)",
    "decided === 'keep'",
  ),
  mutant(
    'direction ignored: the source is written',
    ['I7'],
    'core/direction.ts',
    "return (settings.syncDirection === 'shopify_to_woocommerce') === (side === 'woocommerce');",
    'return true;',
  ),
  mutant(
    'direction ignored: the target changes the hub',
    ['I7'],
    'core/direction.ts',
    "return (settings.syncDirection === 'woocommerce_to_shopify') === (side === 'woocommerce');",
    'return true;',
  ),
  mutant(
    'drift is written over without being asked',
    ['I7'],
    'core/absorb-field.ts',
    'if (settings.enforce && step',
    'if (!settings.enforce && step',
  ),
  mutant(
    'sets merge as registers',
    ['I5'],
    'core/absorb-field.ts',
    "if (spec.kind === 'set') {",
    "if (spec.kind === 'create_only') {",
  ),
  mutant(
    'what one side removed from a set comes back',
    ['I5'],
    'core/merge-field.ts',
    '=> baseKeys.has(tagKey(tag)) &&',
    "=> tag === '' &&",
  ),
  mutant(
    'policy manual ignored: the hub wins',
    ['I5', 'R7'],
    'core/merge-field.ts',
    "if (policy === 'manual') return 'person';",
    "if (policy === 'manual') return 'hub';",
  ),
  mutant(
    'the side that was chosen to win loses',
    ['R5'],
    'core/merge-field.ts',
    "return policy === side ? 'remote' : 'hub';",
    "return policy === side ? 'hub' : 'remote';",
  ),
  mutant(
    'newest is oldest',
    ['R6'],
    'core/merge-field.ts',
    "return (policy === 'newest') === hubSeen.at < remoteSeenAt ? 'remote' : 'hub';",
    "return (policy === 'newest') === hubSeen.at < remoteSeenAt ? 'hub' : 'remote';",
  ),
  mutant(
    'a side that did not move is taken for one that did',
    ['I1', 'I5'],
    'core/merge-field.ts',
    "if (spec.same(remote, base)) return { is: 'unchanged' };",
    "if (spec.same(remote, base)) return { is: 'moved', to: remote };",
  ),
  mutant(
    'a conflict is not seen: the later reading is taken',
    ['I5'],
    'core/merge-field.ts',
    "return { is: 'both_moved' };",
    "return { is: 'moved', to: remote };",
  ),
  mutant(
    'the losing value of a conflict is not in the history',
    ['I5'],
    'core/absorb-field.ts',
    "else step.changes.push({ path: field.path, from: remote, to: hub[name], origin: side, cause: 'kept_hub' });",
    '',
  ),
  mutant(
    // A write is planned from the record as it was just read [W1]: a side that nobody reads is never written at all.
    'a side that would be written is not read first',
    ['I1'],
    'engine/products/sync-products.ts',
    'subject.observe.add(side);\n    isNeeded = true;',
    'subject.observe.add(side);',
  ),
  mutant(
    'what comes out of the bin is put on sale, whatever it was before',
    ['G8'],
    'engine/products/handle-gone.ts',
    'const status = hub.row.priorStatus ?? hub.row.data.fields.status;',
    "const status = 'active' as const;",
  ),
  mutant(
    'a record that lacks a variant counts as level',
    ['I1', 'I4'],
    'engine/products/is-level.ts',
    'if (lacksVariants(view, hub, side) && otherPrices(view) === null) return true;',
    'lacksVariants(view, hub, side);',
  ),
  mutant(
    'each product write leaves twice',
    ['I4'],
    'engine/products/push-products.ts',
    'connector.writeProducts(writes, departure.signal, cut)',
    `connector.writeProducts(writes, departure.signal, cut).then(async (answers) => {
      const again = writes.filter((write, i) => write.type === 'update' && write.newVariants.length === 0 && answers[i]?.ok);
      if (again.length > 0) await connector.writeProducts(again, departure.signal, cut).catch(() => undefined);
      return answers;
    })`,
  ),
  mutant(
    // Whatever has a problem is left out of what is compared.
    'a problem that is none is raised about every product',
    ['I0 vacuous'],
    'engine/products/store-drift.ts',
    '  const { title } = reconciliation.hub.fields;',
    `  const { title } = reconciliation.hub.fields;
  const about = { productId: hub.row.id, side: null, subject: hub.row.id };
  raise(ctx, tx, view, about, { code: 'WRITE_REJECTED', level: 'error', message: '', remedy: '' });`,
  ),
];
