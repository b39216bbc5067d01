import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAQ } from './faq.ts';
import { CLOUD_PLANS, COMPARED, DEPLOYMENT_PHASES, dollars, LICENCES } from './pricing.ts';

test('[spec 1] six questions', () => {
  assert.equal(FAQ.length, 6);
});

test('[spec 9] prices are the specification’s', () => {
  const plans = CLOUD_PLANS.map(({ name, price, orders, overage }) => [name, price, orders, overage]);
  assert.deepEqual(plans, [
    ['Free', 0, '200 orders per month', null],
    ['Growth', 19, '5,000 orders per month', 'then $0.004 per order'],
    ['Scale', 49, '25,000 orders per month', 'then $0.003 per order'],
    ['Enterprise', null, 'Your volume', null],
  ]);
  assert.deepEqual(
    LICENCES.slice(1).map(({ name, price }) => `${name} ${dollars(price)}`),
    ['Professional $299', 'Enterprise $10,000'],
  );
  assert.deepEqual(COMPARED, { licence: 10_000, cloudPerYear: 2_400 });
  assert.deepEqual(
    DEPLOYMENT_PHASES.map(({ time }) => time),
    ['1-2 weeks', '1-3 days', '2-4 hours', '1-2 days'],
  );
});
