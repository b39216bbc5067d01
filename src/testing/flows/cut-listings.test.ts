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
