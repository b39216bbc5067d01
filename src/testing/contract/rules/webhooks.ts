import assert from 'node:assert/strict';
import type { Signal } from '../../../model/signal.ts';
import type { Connector, RawDelivery } from '../../../ports/connector.ts';
import { addSimple, createOf, names, simpleProduct, sizedProduct, stockWrite, written } from '../fixtures.ts';
import type { Rule } from '../rule.ts';

function signalsOf(connector: Connector, deliveries: readonly RawDelivery[]): Signal[] {
  return deliveries.flatMap((delivery) => {
    const verified = connector.verifyDelivery(delivery);
    assert.ok(verified, 'what the platform sent is authentic');
    assert.ok(verified.deliveryId !== '' && verified.topic !== '');
    return verified.signals;
  });
}

const text = (value: string) => new TextEncoder().encode(value);

/** [C22] [C23]: deliveries and the webhooks that they come from. */
export function webhookRules(rule: Rule): void {
  rule(
    '[C22] what the platform sent is authentic and names the record',
    { abilities: ['deliveries'] },
    async (harness) => {
      const { connector, shop, webhooks } = harness;
      await connector.ensureWebhooks(webhooks.callbackUrl);
      await webhooks.take();
      const record = await shop.addProduct(sizedProduct(2));
      assert.ok(names(signalsOf(connector, await webhooks.take()), record), 'a new product');
      await shop.editProduct(record.externalId, { title: 'Edited' });
      assert.ok(names(signalsOf(connector, await webhooks.take()), record), 'an edit');
      await shop.sell(record.variants[1]!.stockId, 1);
      assert.ok(names(signalsOf(connector, await webhooks.take()), record), 'a sale');
    },
  );

  rule(
    '[C22] a sale names its item where the platform tells of stock',
    { abilities: ['deliveries'] },
    async (harness) => {
      const { connector, shop, webhooks } = harness;
      await connector.ensureWebhooks(webhooks.callbackUrl);
      const record = await addSimple(harness);
      await webhooks.take();
      const { stockId } = record.variants[0]!;
      await shop.sell(stockId, 1);
      const ofStock = signalsOf(connector, await webhooks.take()).filter(({ kind }) => kind === 'stock');
      assert.deepEqual(
        new Set(ofStock.map(({ externalId }) => externalId)),
        new Set(connector.capabilities.tellsStock ? [stockId] : []),
      );
    },
  );

  rule('[C22] a record put into the bin is named', { abilities: ['deliveries', 'bin'] }, async (harness) => {
    const { connector, shop, webhooks } = harness;
    await connector.ensureWebhooks(webhooks.callbackUrl);
    const record = await addSimple(harness);
    await webhooks.take();
    await shop.trash(record.externalId);
    assert.ok(names(signalsOf(connector, await webhooks.take()), record));
  });

  rule('[C22] our own writes come back as authentic deliveries too', { abilities: ['deliveries'] }, async (harness) => {
    const { connector, webhooks } = harness;
    await connector.ensureWebhooks(webhooks.callbackUrl);
    await webhooks.take();
    const { snapshot } = await written(connector, createOf(simpleProduct()));
    await connector.writeStock([stockWrite(snapshot.variants[0]!.stockId, 10, 9)]);
    signalsOf(connector, await webhooks.take());
  });

  rule('[C22] a changed body, a changed or missing signature: null', { abilities: ['deliveries'] }, async (harness) => {
    const { connector, webhooks } = harness;
    await connector.ensureWebhooks(webhooks.callbackUrl);
    await webhooks.take();
    await addSimple(harness);
    const [delivery] = await webhooks.take();
    assert.ok(delivery && connector.verifyDelivery(delivery));
    const changed = Uint8Array.from(delivery.body);
    changed[changed.length - 1] = changed.at(-1)! ^ 1;
    assert.equal(connector.verifyDelivery({ ...delivery, body: changed }), null);
    assert.equal(connector.verifyDelivery({ ...delivery, body: new Uint8Array() }), null);
    assert.equal(connector.verifyDelivery({ ...delivery, headers: {} }), null);
    const signature = Object.entries(delivery.headers).find(([name]) => /signature|hmac/.test(name));
    assert.ok(signature, 'a header with the signature');
    const [name, good] = signature;
    for (const bad of [
      '',
      '=',
      'x',
      good.slice(0, -4),
      `${good}AAAA`,
      good.toLowerCase() === good ? good.toUpperCase() : good.toLowerCase(),
      '💥',
      `A${good.slice(1)}A`,
    ]) {
      if (bad === good) continue;
      assert.equal(connector.verifyDelivery({ ...delivery, headers: { ...delivery.headers, [name]: bad } }), null, bad);
    }
    // Given again, it is the same delivery: what duplicates are told by.
    assert.deepEqual(
      connector.verifyDelivery(delivery),
      connector.verifyDelivery({ ...delivery, body: Uint8Array.from(delivery.body) }),
    );
  });

  rule('[C22] another’s secret: null', { abilities: ['sign'] }, async ({ connector, webhooks }) => {
    const body = text('{"id": 1}');
    assert.ok(connector.verifyDelivery(webhooks.sign(body, 'current')));
    assert.equal(connector.verifyDelivery(webhooks.sign(body, 'stranger')), null);
  });

  rule(
    '[C22] during a rotation the previous secret still counts',
    { abilities: ['sign', 'previous_secret'] },
    async ({ connector, webhooks }) => {
      assert.ok(connector.verifyDelivery(webhooks.sign(text('{"id": 2}'), 'previous')));
      assert.ok(connector.verifyDelivery(webhooks.sign(text('{"id": 2}'), 'current')));
    },
  );

  rule(
    '[C22] an authentic body that can’t be understood has no signals; nothing throws',
    { abilities: ['sign'] },
    async ({ connector, webhooks }) => {
      const bodies = [
        '',
        '{',
        'null',
        '[]',
        '0',
        '"x"',
        '{}',
        '{"id": null}',
        '{"id": {}}',
        '<html>',
        'webhook_id=7',
        '{"id": "1", "id": []}',
        '\u0000\ufffe',
      ].map(text);
      bodies.push(
        Uint8Array.from([0xff, 0xfe, 0x00, 0x80]),
        text('['.repeat(10_000)),
        text(`{"a":"${'x'.repeat(300_000)}"}`),
      );
      for (const body of bodies) {
        const verified = connector.verifyDelivery(webhooks.sign(body, 'current'));
        assert.ok(verified, 'authentic');
        assert.deepEqual(verified.signals, [], Buffer.from(body).toString('utf8', 0, 40));
        assert.equal(connector.verifyDelivery(webhooks.sign(body, 'stranger')), null);
      }
    },
  );

  rule(
    '[C22] a delivery that changed on the way never throws, whichever bit',
    { abilities: ['deliveries'] },
    async (harness) => {
      const { connector, webhooks } = harness;
      await connector.ensureWebhooks(webhooks.callbackUrl);
      await webhooks.take();
      await addSimple(harness);
      const [delivery] = await webhooks.take();
      assert.ok(delivery);
      for (let at = 0; at < delivery.body.length; at += Math.max(1, Math.floor(delivery.body.length / 97))) {
        const body: Uint8Array = Uint8Array.from(delivery.body);
        body[at] = body[at]! ^ (1 << (at % 8));
        assert.equal(connector.verifyDelivery({ ...delivery, body }), null, `bit of byte ${at}`);
      }
    },
  );

  rule(
    '[C23] the needed webhooks are made once and kept',
    { abilities: ['webhook_admin'] },
    async ({ connector, webhooks }) => {
      const ours = async () => (await webhooks.list()).filter((hook) => hook.url.startsWith(webhooks.callbackUrl));
      const first = await connector.ensureWebhooks(webhooks.callbackUrl);
      assert.ok(first.active > 0);
      assert.equal(first.repaired, first.active, 'all of them were missing');
      assert.equal((await ours()).length, first.active);
      const second = await connector.ensureWebhooks(webhooks.callbackUrl);
      assert.deepEqual(second, { active: first.active, repaired: 0 });
      assert.equal((await ours()).length, first.active, 'no second set');
    },
  );

  rule(
    '[C23] one that was switched off or deleted is repaired',
    { abilities: ['webhook_admin'] },
    async ({ connector, webhooks }) => {
      const { active } = await connector.ensureWebhooks(webhooks.callbackUrl);
      await webhooks.breakOne();
      assert.deepEqual(await connector.ensureWebhooks(webhooks.callbackUrl), { active, repaired: 1 });
      const ours = (await webhooks.list()).filter((hook) => hook.url.startsWith(webhooks.callbackUrl));
      assert.equal(ours.filter((hook) => hook.isActive).length, active);
      assert.deepEqual(await connector.ensureWebhooks(webhooks.callbackUrl), { active, repaired: 0 });
    },
  );

  rule(
    '[C23] webhooks of others are left alone, also when ours are removed',
    { abilities: ['webhook_admin'] },
    async ({ connector, webhooks }) => {
      const foreign = ['https://other.example/hook', `${new URL(webhooks.callbackUrl).origin}/somebody-else`];
      for (const url of foreign) await webhooks.addForeign(url);
      const before = await webhooks.list();
      await connector.ensureWebhooks(webhooks.callbackUrl);
      await connector.removeWebhooks(webhooks.callbackUrl);
      assert.deepEqual(await webhooks.list(), before);
      await connector.removeWebhooks(webhooks.callbackUrl);
      assert.deepEqual(await webhooks.list(), before);
    },
  );
}
