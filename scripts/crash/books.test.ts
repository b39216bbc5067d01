import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Book, FENCE_MS, faultOf, type OpenWrite } from './books.ts';
import type { Entry } from './ledger.ts';

const NOW = 1_000_000;
const FENCED: OpenWrite = { from: 10, to: 9, call: 'stk_a', fencedUntil: NOW + 60_000 };
const JOB = { state: 'ready', runAt: FENCED.fencedUntil + 1 };
const QUIET = { base: 9, provisional: 0, open: null, isWritten: false };
/** One was sold in WooCommerce, and the write that takes it to Shopify was cut off. */
const SOLD: Entry = { soldIn: 'woocommerce', truth: 9, isAcknowledged: true };
const CUT_OFF: Book = {
  hub: 9,
  sides: { woocommerce: QUIET, shopify: { base: 10, provisional: 0, open: FENCED, isWritten: false } },
  job: JOB,
};

function faultIn(
  change: { hub?: number; open?: Partial<OpenWrite>; job?: Partial<typeof JOB> | null },
  stock = { woocommerce: 9, shopify: 10 },
): string {
  const { sides } = CUT_OFF;
  const book: Book = {
    hub: change.hub ?? CUT_OFF.hub,
    sides: { ...sides, shopify: { ...sides.shopify, open: { ...FENCED, ...change.open } } },
    job: change.job === null ? null : { ...JOB, ...change.job },
  };
  return String(faultOf(SOLD, book, stock, NOW));
}

test('what is level, and what waits for a write that was cut off, is as it must be', () => {
  const level: Book = { hub: 9, sides: { woocommerce: QUIET, shopify: QUIET }, job: null };
  assert.equal(faultOf(SOLD, level, { woocommerce: 9, shopify: 9 }, NOW), null);
  assert.equal(faultIn({}), 'null', 'it did not land');
  assert.equal(faultIn({}, { woocommerce: 9, shopify: 9 }), 'null', 'it landed');
});

test('a store that differs needs a write that is open on it', () => {
  const none: Book = { hub: 9, sides: { woocommerce: QUIET, shopify: { ...QUIET, base: 10 } }, job: JOB };
  assert.match(String(faultOf(SOLD, none, { woocommerce: 9, shopify: 10 }, NOW)), /shopify: .*no write is open/);
  assert.match(faultIn({}, { woocommerce: 8, shopify: 10 }), /woocommerce: it holds 8/, 'the other side is no excuse');
  assert.match(
    faultIn({}, { woocommerce: 9, shopify: 7 }),
    /shopify: it holds 7/,
    'neither what was there nor what was written',
  );
  assert.match(String(faultOf(SOLD, undefined, { woocommerce: 9, shopify: 9 }, NOW)), /not in the database/);
});

test('the fence is not over, ends in time, and a job comes back then', () => {
  assert.match(faultIn({ open: { fencedUntil: NOW } }), /not settled/);
  assert.match(faultIn({ open: { fencedUntil: NOW + FENCE_MS + 1 } }), /is fenced for/);
  assert.match(faultIn({ job: null }), /no job/);
  assert.match(faultIn({ job: { runAt: NOW } }), /due/);
  assert.match(faultIn({ job: { state: 'executing' } }), /due/);
  assert.match(faultIn({ job: { runAt: NOW + 3_600_000 } }), /after the fence/);
});

test('a sale that was not counted, or twice, is no sale that waits', () => {
  assert.match(faultIn({ hub: 10 }), /woocommerce: it holds 9, is to hold 10/);
  const unseen = { ...CUT_OFF, hub: 10, sides: { ...CUT_OFF.sides, woocommerce: { ...QUIET, base: 10 } } };
  assert.match(String(faultOf(SOLD, unseen, { woocommerce: 9, shopify: 10 }, NOW)), /the server knows of 10/);
  const twice = { ...CUT_OFF, hub: 8, sides: { ...CUT_OFF.sides, woocommerce: { ...QUIET, base: 8 } } };
  assert.match(String(faultOf(SOLD, twice, { woocommerce: 8, shopify: 10 }, NOW)), /counts 8, and 9 are left/);
});

test('where our own write to the selling store was cut off, either end of it explains what that store holds', () => {
  const entry: Entry = { soldIn: 'shopify', truth: 8, isAcknowledged: true };
  const book = (provisional: number): Book => ({
    hub: 9,
    sides: {
      woocommerce: { base: 9 + provisional, provisional: 0, open: null, isWritten: false },
      shopify: { base: 10, provisional, open: FENCED, isWritten: false },
    },
    job: JOB,
  });
  assert.equal(faultOf(entry, book(-2), { woocommerce: 7, shopify: 8 }, NOW), null, 'it landed, and one was sold');
  assert.equal(faultOf(entry, book(-1), { woocommerce: 8, shopify: 9 }, NOW), null, 'it did not, and one was sold');
  const untold = book(-1);
  const shown = {
    ...untold,
    sides: { ...untold.sides, woocommerce: { base: 9, provisional: 0, open: null, isWritten: false } },
  };
  assert.match(
    String(faultOf(entry, shown, { woocommerce: 9, shopify: 9 }, NOW)),
    /woocommerce: it holds 9, is to hold 8/,
  );
  assert.match(
    String(faultOf(entry, book(0), { woocommerce: 9, shopify: 12 }, NOW)),
    /counts 11 or 12, and 8 are left/,
  );
  const kept: Book = {
    ...book(-1),
    sides: { ...book(-1).sides, shopify: { base: 8, provisional: -1, open: null, isWritten: false } },
  };
  assert.match(String(faultOf(entry, kept, { woocommerce: 8, shopify: 8 }, NOW)), /kept back/);
});

test('what WooCommerce sold where we have written it a lower number is not asked of the count, and must be the same in all three', () => {
  const written = { base: 8, provisional: 0, open: null, isWritten: true };
  const book: Book = { hub: 8, sides: { woocommerce: written, shopify: { ...QUIET, base: 8 } }, job: null };
  assert.equal(faultOf(SOLD, book, { woocommerce: 8, shopify: 8 }, NOW), null, 'a sale was written over');
  assert.match(String(faultOf(SOLD, book, { woocommerce: 9, shopify: 8 }, NOW)), /the server knows of 8/);
  const elsewhere: Entry = { ...SOLD, soldIn: 'shopify' };
  assert.match(String(faultOf(elsewhere, book, { woocommerce: 8, shopify: 8 }, NOW)), /counts 8, and 9 are left/);
});

test('of what WooCommerce sold while our own write was on its way there, only the fence and the job are asked', () => {
  const write = { from: 9, to: 7, call: 'stk_b', fencedUntil: FENCED.fencedUntil };
  const shopify = { base: 7, provisional: -2, open: FENCED, isWritten: false };
  const book: Book = {
    hub: 9,
    sides: { woocommerce: { base: 9, provisional: 0, open: write, isWritten: false }, shopify },
    job: JOB,
  };
  const entry: Entry = { soldIn: 'woocommerce', truth: 8, isAcknowledged: true };
  assert.equal(faultOf(entry, book, { woocommerce: 7, shopify: 10 }, NOW), null, 'its sale was written over');
  assert.match(String(faultOf(entry, { ...book, job: null }, { woocommerce: 7, shopify: 10 }, NOW)), /no job/);
  assert.match(String(faultOf(entry, book, { woocommerce: 7, shopify: 12 }, NOW)), /shopify: it holds 12/);
});
