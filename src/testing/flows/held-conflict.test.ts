// A conflict that waits for a person while one of its shops can't be read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveConflict } from '../../engine/conflicts/resolve-conflict.ts';
import { present } from '../../lib/assert.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { otherSide, SIDES } from '../../model/platform.ts';
import { Refusal } from '../../model/refusal.ts';
import { EngineFlow } from './engine-flow.ts';

test("[R7] a value moves while the conflict's own side can't be read: a choice that was made on the old one is refused, and nothing is written over unseen", async () => {
  const flow = new EngineFlow({ conflictResolution: 'manual' });
  for (const title of ['Mug', 'Bowl']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
  await flow.link();
  const ids = { woocommerce: flow.product('woocommerce', 'Mug').id, shopify: flow.product('shopify', 'Mug').id };
  for (const side of SIDES) flow.shop(side).outside.editProduct(ids[side], 'descriptionHtml', `<p>${side}</p>`);
  await flow.rest();
  const conflict = present(flow.conflicts()[0], 'the conflict');
  const away = conflict.side;
  const other = otherSide(away);

  // Something else is written to the other side, where somebody types in the very moment: the answer shows it, and right then the conflict's side is away.
  const { writeProducts } = flow.connector(other);
  flow.hands[other].writeProducts = (writes, signal) => {
    delete flow.hands[other].writeProducts;
    flow.shop(other).outside.editProduct(ids[other], 'descriptionHtml', '<p>again</p>');
    flow.hands[away].readProducts = async () => {
      throw new ConnectorError('unavailable', 'away');
    };
    return writeProducts(writes, signal);
  };
  flow.shop(away).outside.editProduct(ids[away], 'tags', ['cup']);
  await flow.rest(5);
  assert.deepEqual(flow.product(other, 'Mug').fields.tags, ['cup'], 'it was written');
  const { ctx } = flow.world.life();
  const choice = { conflictId: conflict.id, choice: 'remote' } as const;
  assert.throws(
    () => resolveConflict(ctx, { ...choice, expectedVersion: conflict.version }),
    (error) => error instanceof Refusal && error.code === 'CONFLICT_MOVED',
  );
  const [card] = flow.rows<{ hub: string; version: number }>('SELECT hub, version FROM conflict');
  assert.equal(card?.hub, '"<p>again</p>"', 'the fresh card shows it');

  delete flow.hands[away].readProducts;
  await flow.rest(30);
  assert.deepEqual(
    flow.conflicts(),
    [{ ...conflict, version: card?.version }],
    'once it is read, the card is the same',
  );
  resolveConflict(ctx, { ...choice, expectedVersion: card?.version ?? 0 });
  await flow.rest();
  for (const side of SIDES) assert.equal(flow.product(side, 'Mug').fields.descriptionHtml, `<p>${away}</p>`);
});
