// A few steps around one thing, drawn in great number: what is deleted and added again while what it caused is under way [V5, G8, M1, S7, W4].
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commitHash } from '../support/commit.ts';
import { drawStory } from './stories/draw.ts';
import { type Ending, judge } from './stories/judge.ts';
import { keptStories } from './stories/kept.ts';
import { shrinkStory } from './stories/shrink.ts';
import { ACTS, FAULTS, parseStory, type Story, tellStory } from './stories/story.ts';
import { verdictOn } from './stories/verdict.ts';

/** Drawn from the commit. More of them: `node src/testing/flows/stories/cli.ts --seconds 600`. */
const FRESH = 250;

const drawn = (count: number, name: string) => Array.from({ length: count }, (_, i) => drawStory(`${name}/${i}`));

describe('short stories', () => {
  test('those that ended badly once end well', async () => {
    const kept = keptStories();
    assert.ok(kept.length > 0);
    for (const { story, cause } of kept) assert.equal(await verdictOn(story), null, `${cause}\n${tellStory(story)}`);
  });

  test(`${FRESH} of this commit end well`, async () => {
    for (const story of drawn(FRESH, commitHash())) {
      const wrong = await verdictOn(story);
      if (wrong === null) continue;
      const { story: shortest, fault } = await shrinkStory(story, wrong, verdictOn);
      assert.fail(`${fault}\n${tellStory(shortest)}`);
    }
  });

  test('a story is one line, and that line is the story; there is nothing that none of them does', () => {
    const stories = drawn(300, 'any');
    for (const story of stories) {
      const line = tellStory(story);
      assert.equal(tellStory(parseStory(line)), line);
    }
    const steps = stories.flatMap((story) => story.steps);
    assert.deepEqual(new Set(steps.map(({ act }) => act)), new Set(ACTS));
    const upset = steps.filter(({ act }) => act === 'upset');
    assert.deepEqual(new Set(upset.map(({ fault }) => fault)), new Set(Object.keys(FAULTS)));
    assert.throws(() => parseStory('variant real sku sum archive 0 | juggle shopify now'), /juggle/);
  });

  test('a story that ends badly is made as short as it can be', async () => {
    const story = parseStory(
      'variant real sku sum archive 0 | sell shopify now | delete shopify now | look shopify now | add shopify now',
    );
    const wants = ['delete', 'add'];
    const verdict = async ({ steps }: Story) => {
      const isBad = wants.every((act) => steps.some((step) => step.act === act));
      return isBad ? `too many: ${steps.length}` : null;
    };
    const shortest = await shrinkStory(story, 'too many: 4', verdict);
    assert.deepEqual([shortest.story.steps.map(({ act }) => act), shortest.fault], [wants, 'too many: 2']);
  });
});

const HALF = { quantity: 7, text: 'price', typed: null };
const AT_FIVE = { ...HALF, quantity: 5 };
const WELL: Ending = {
  halves: { woocommerce: [HALF], shopify: [HALF] },
  away: { woocommerce: 0, shopify: 0 },
  deeds: { added: [], sold: 1, isMoved: false },
  problems: [],
  isAsked: false,
  status: 'active',
};
const SMALLER = {
  subject: 'variant',
  set: 'real',
  stock: 'smaller',
  deletes: 'archive',
  buffer: 0,
  steps: [],
} as const;
const MOVED = { added: [10, 7], sold: 0, isMoved: true };
const of = (woocommerce: Ending['halves']['woocommerce'], shopify: Ending['halves']['shopify']) => ({
  halves: { woocommerce, shopify },
});

describe('the end of a story', () => {
  test('is well where both shops show the same, or nothing, or a person is rightly told', () => {
    for (const change of [
      {},
      of([], []),
      { isAsked: true, ...of([], [HALF]) },
      { problems: ['VARIANT_REMOVED'], ...of([], [HALF]) },
      { problems: ['STOCK_DOUBT', 'OVERSOLD'] },
      { problems: ['STOCK_DOUBT', 'STOCK_ZERO_CONSENT'], ...of([HALF], [AT_FIVE]) },
      { problems: ['WRITE_REJECTED'], away: { woocommerce: 1, shopify: 0 }, ...of([], [HALF]) },
    ])
      assert.equal(judge(SMALLER, { ...WELL, ...change }), null, JSON.stringify(change));
    assert.equal(judge({ ...SMALLER, deletes: 'keep' }, { ...WELL, ...of([], [HALF]) }), null);
    const both = of([{ ...HALF, quantity: 17, typed: 10 }], [{ ...HALF, quantity: 17, typed: 7 }]);
    assert.equal(judge({ ...SMALLER, stock: 'sum' }, { ...WELL, ...both, deeds: MOVED }), null);
    const { steps } = parseStory('variant real sku smaller archive 0 | upset woocommerce late');
    const sold = { added: [], sold: 2, isMoved: false };
    assert.equal(judge({ ...SMALLER, steps }, { ...WELL, deeds: sold }), null, 'what landed late on a blind shop');
    assert.equal(judge({ ...SMALLER, set: 'keyed', steps }, { ...WELL, deeds: sold }), 'too many: 7 of 6');
    assert.equal(judge({ ...SMALLER, buffer: 2 }, { ...WELL, ...of([AT_FIVE], [AT_FIVE]) }), null);
    const asked = { deeds: MOVED, problems: ['STOCK_ZERO_CONSENT'], ...of([HALF], [{ ...HALF, quantity: 0 }]) };
    assert.equal(
      judge({ ...SMALLER, steps }, { ...WELL, ...asked }),
      null,
      'what was shown while a write had no answer',
    );
  });

  test('is not a product that was summed with what it was before', () => {
    const both = of([{ ...HALF, quantity: 17, typed: 10 }], [{ ...HALF, quantity: 17, typed: 7 }]);
    const wrong = judge({ ...SMALLER, subject: 'product', stock: 'sum' }, { ...WELL, ...both, deeds: MOVED });
    assert.equal(wrong, 'too many: 17 of 10');
  });

  for (const [wrong, change] of [
    ['the pair is halted', { status: 'halted' }],
    ['made twice in shopify', of([HALF], [HALF, HALF])],
    ['more than one in woocommerce', of([HALF, { ...HALF, typed: 7 }], [HALF])],
    ['a person is told of WRITE_REJECTED', { problems: ['WRITE_REJECTED'] }],
    ['a person is told of OVERSOLD', { problems: ['OVERSOLD'] }],
    ['a person is told of STOCK_ZERO_CONSENT', { problems: ['STOCK_ZERO_CONSENT'], deeds: MOVED }],
    ['in one shop only, and nobody is told', of([HALF], [])],
    ['in both shops, and a person is told that it was removed', { problems: ['VARIANT_REMOVED'] }],
    ['not level: 7 and 10', of([HALF], [{ ...HALF, quantity: 10 }])],
    ['not the same: price and other', of([HALF], [{ ...HALF, text: 'other' }])],
    [
      'too many: 17 of 10',
      { deeds: MOVED, ...of([{ ...HALF, quantity: 17, typed: 10 }], [{ ...HALF, quantity: 17, typed: 7 }]) },
    ],
    ['too many: 7 of 5', { deeds: MOVED, ...of([HALF], [{ ...HALF, typed: 5 }]) }],
    ['too many: 7 of 6', { deeds: { added: [], sold: 2, isMoved: false } }],
    ['too few: 7 of 8', { deeds: { added: [], sold: 0, isMoved: false } }],
    ['too few: 5 of 7', { deeds: MOVED, ...of([AT_FIVE], [AT_FIVE]) }],
  ] as const)
    test(`is not: ${wrong}`, () => assert.equal(judge(SMALLER, { ...WELL, ...change }), wrong));
});
