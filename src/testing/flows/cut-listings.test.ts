// [B11] Lists of products that end too early, time after time: what people are told, and that nothing comes of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpRequest } from '../../connectors/shared/transport.ts';
import { requestRun } from '../../engine/runs/request-run.ts';
import type { Side } from '../../model/platform.ts';
import { Story } from './depth/story.ts';
import type { Answer } from './depth/wire.ts';

/** Until the function is called that comes back, what a store answers goes through these hands. */
function between(story: Story, side: Side, change: (request: HttpRequest, answer: Answer) => Answer): () => void {
  const host = story.world.shops.hosts[side];
  const { inject } = host;
  Object.assign(host, { inject: async (request: HttpRequest) => change(request, await inject(request)) });
  return () => Object.assign(host, { inject });
}

const withBody = (answer: Answer, body: string): Answer => ({ ...answer, body: Buffer.from(body) });
const isFile = ({ url }: HttpRequest) => url.includes('.jsonl');
const isWalked = ({ body }: HttpRequest) => /\bquery ProductsListed\b/.test(String(body));
const cutFile = (answer: Answer) => withBody(answer, answer.body.toString().slice(0, -700));

/** A full comparison, as each night. */
async function compare(story: Story) {
  const run = await story.world.finished(
    requestRun(story.world.ctx, { pairId: story.world.pairId, trigger: 'reconcile' }).id,
  );
  await story.rest();
  return run;
}

test('[B11] a bulk listing of a large Shopify shop that is cut, of which pages were read, is done again page by page', () =>
  Story.play(async (story) => {
    story.shop.seed(450, 1);
    await story.link({ createOn: { woocommerce: false, shopify: false } });
    let walked = 0;
    const mend = between(story, 'shopify', (request, answer) => {
      if (isWalked(request)) walked += 1;
      return isFile(request) ? cutFile(answer) : answer;
    });
    const run = await compare(story);
    assert.deepEqual([run.status, run.errorMessage, story.codes()], ['completed', null, []]);
    assert.ok(walked > 0);
    assert.equal(run.stats.totalProcessed, 450);
    mend();
  }));

test('[B11] so it is where a plan is made of it', () =>
  Story.play(
    async (story) => {
      story.shop.seed(450, 1);
      await story.world.pairUp({ createOn: { woocommerce: false, shopify: false } });
      between(story, 'shopify', (request, answer) => (isFile(request) ? cutFile(answer) : answer));
      const plan = await story.world.plan();
      assert.deepEqual([plan.status, plan.errorMessage, story.codes()], ['nothing_to_do', null, []]);
      assert.equal(plan.counts.read?.shopify, 450);
    },
    { isRestless: true },
  ));

/** As a cache or a plugin in front of WooCommerce does it: the number of products is right, and the list is short. */
function shortenWoo(story: Story): () => void {
  return between(story, 'woocommerce', (request, answer) => {
    const { pathname, searchParams } = new URL(request.url);
    if (request.method !== 'GET' || !pathname.endsWith('/products') || searchParams.has('include')) return answer;
    const list = JSON.parse(answer.body.toString()) as unknown[];
    return withBody(answer, JSON.stringify(list.slice(0, 5)));
  });
}

/** Neither Shopify's file nor the list page by page comes whole. */
function breakShopify(story: Story): () => void {
  return between(story, 'shopify', (request, answer) => {
    if (isFile(request)) return cutFile(answer);
    return isWalked(request) ? withBody(answer, answer.body.toString().slice(0, -30)) : answer;
  });
}

for (const [side, cut, said, remedy] of [
  ['woocommerce', shortenWoo, /^WooCommerce's list .*listed 5 of 12 records and then stopped/, /cache.*plugin.*wc\/v3/],
  ['shopify', breakShopify, /^Shopify's list .*ProductsListed could not be understood/, /proxy.*virus scanner/],
] as const)
  test(`[B11] [P1] a listing of ${side} that never comes whole is told of with its remedy, nothing comes of it, and it closes with the next whole one`, () =>
    Story.play(async (story) => {
      for (let n = 0; n < 12; n += 1) story.addBoth(`MUG-${n}`);
      await story.link();
      const mend = cut(story);
      const shelves = () => JSON.stringify([story.shelf('woocommerce'), story.shelf('shopify')]);
      const before = shelves();
      for (let night = 0; night < 3; night += 1) {
        const run = await compare(story);
        assert.deepEqual([run.status, run.errorCode], ['failed', 'LISTING_CUT_SHORT']);
      }
      const plan = await story.world.plan();
      assert.deepEqual([plan.status, plan.errorCode], ['failed', 'LISTING_CUT_SHORT']);
      assert.equal(shelves(), before);
      assert.equal(story.world.pair().status, 'active');
      assert.deepEqual(story.codes(), ['LISTING_CUT_SHORT'], 'once, however often');
      const [problem] = story.problems();
      assert.match(problem?.message ?? '', said);
      assert.match(problem?.message ?? '', /nothing is deleted/i);
      assert.match(problem?.remedy ?? '', remedy);
      // What is told by webhooks goes on.
      story.shop.placeOrder([{ variant: 'MUG-11', quantity: 1 }]);
      await story.rest();
      assert.deepEqual(story.stock('MUG-11'), [9, 9]);
      mend();
      const whole = await compare(story);
      assert.deepEqual([whole.status, story.codes()], ['completed', []]);
    }));

test('[B11] a listing that is whole at the second try is no problem', () =>
  Story.play(async (story) => {
    for (let n = 0; n < 12; n += 1) story.addBoth(`MUG-${n}`);
    await story.link();
    const mend = shortenWoo(story);
    const { id } = requestRun(story.world.ctx, { pairId: story.world.pairId, trigger: 'reconcile' });
    await story.rest(2_000);
    mend();
    const run = await story.world.finished(id);
    assert.equal(run.status, 'completed');
    const events = "SELECT 1 FROM event WHERE type = 'problem'";
    assert.deepEqual(story.world.db.connection.prepare(events).all(), []);
  }));

test('[B11] [G6] [G7] a list of Shopify that calls itself whole too early deletes nothing, and halts the pair where much is missing', () =>
  Story.play(
    async (story) => {
      for (let n = 0; n < 30; n += 1) story.addBoth(`MUG-${n}`);
      await story.link();
      let listed = 25;
      between(story, 'shopify', (request, answer) => {
        if (isFile(request)) return cutFile(answer);
        if (!isWalked(request)) return answer;
        const told = JSON.parse(answer.body.toString()) as {
          data: { products: { nodes: unknown[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } } };
        };
        told.data.products.nodes = told.data.products.nodes.slice(0, listed);
        told.data.products.pageInfo.hasNextPage = false;
        return withBody(answer, JSON.stringify(told));
      });
      const shelves = () => JSON.stringify([story.shelf('woocommerce'), story.shelf('shopify')]);
      const before = shelves();
      for (let night = 0; night < 4; night += 1) assert.equal((await compare(story)).status, 'completed');
      assert.deepEqual([shelves(), story.codes()], [before, []], 'each that is missing is asked for, and is there');
      listed = 10;
      const run = await compare(story);
      assert.deepEqual([run.errorCode, story.world.pair().halt?.reason], ['PAIR_HALTED', 'shrunken_listing']);
      assert.equal(shelves(), before);
    },
    { isRestless: true },
  ));
