import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idMadeAt, SeededRandom, seededRandomPort } from './random.ts';

/** Worked out by another implementation of xoshiro128** (in Python). */
const PINNED = [3_010_945_103, 3_148_207_387, 268_556_227, 1_955_864_358];

test('one seed gives one sequence, neighbouring seeds share nothing', () => {
  const draw = (seed: string | number) => {
    const random = new SeededRandom(seed);
    return Array.from({ length: 50 }, () => random.bits());
  };
  assert.deepEqual(draw(1), draw('1'));
  const all = new Set([0, 1, 2, 3, '01', ''].flatMap(draw));
  assert.equal(all.size, 300);
});

test('the generator is xoshiro128**: the first numbers are pinned, so that kept seeds stay valid', () => {
  const random = new SeededRandom('pinned');
  assert.deepEqual(
    Array.from({ length: 4 }, () => random.bits()),
    PINNED,
  );
});

test('every bit of every draw is fair, and so are int, unit and chance', () => {
  const random = new SeededRandom('fair');
  const count = 40_000;
  const ones = new Array<number>(32).fill(0);
  for (let draw = 0; draw < count; draw += 1) {
    const bits = random.bits();
    for (let bit = 0; bit < 32; bit += 1) ones[bit]! += (bits >>> bit) & 1;
  }
  // Five standard deviations.
  for (const one of ones) assert.ok(Math.abs(one - count / 2) < 5 * Math.sqrt(count / 4), `${one}`);
  const sevenths = new Array<number>(7).fill(0);
  for (let draw = 0; draw < 70_000; draw += 1) sevenths[random.int(7)]! += 1;
  for (const share of sevenths) assert.ok(Math.abs(share - 10_000) < 500, `${share}`);
  let hits = 0;
  for (let draw = 0; draw < 10_000; draw += 1) if (random.chance(0.1)) hits += 1;
  assert.ok(Math.abs(hits - 1_000) < 150, `${hits}`);
  for (let draw = 0; draw < 10_000; draw += 1) {
    const unit = random.unit();
    assert.ok(unit >= 0 && unit < 1);
  }
});

test('a fork depends on seed and name alone, not on what was drawn before', () => {
  const one = new SeededRandom('s');
  const two = new SeededRandom('s');
  two.unit();
  two.unit();
  assert.equal(one.fork('shop').bits(), two.fork('shop').bits());
  assert.notEqual(one.fork('shop').bits(), one.fork('engine').bits());
});

test('weighted goes by weight and never gives a weight of 0', () => {
  const random = new SeededRandom('w');
  const seen = { a: 0, b: 0, c: 0 };
  for (let draw = 0; draw < 10_000; draw += 1) seen[random.weighted({ a: 3, b: 1, c: 0 })] += 1;
  assert.equal(seen.c, 0);
  assert.ok(Math.abs(seen.a - 7_500) < 300, `${seen.a}`);
});

test('shuffle permutes a copy; pick and between stay inside', () => {
  const random = new SeededRandom('p');
  const items = [1, 2, 3, 4, 5, 6, 7, 8];
  const shuffled = random.shuffle(items);
  assert.deepEqual(shuffled.toSorted(), items);
  assert.notDeepEqual(shuffled, items);
  for (let draw = 0; draw < 1_000; draw += 1) {
    assert.ok(items.includes(random.pick(items)));
    const number = random.between(-2, 2);
    assert.ok(number >= -2 && number <= 2);
  }
  assert.throws(() => random.pick([]));
  assert.throws(() => random.int(0));
});

test('ids are deterministic, unique and sort in the order of their making', () => {
  let now = 1_000;
  const make = () => seededRandomPort(new SeededRandom('ids'), { now: () => now });
  const port = make();
  const ids: string[] = [];
  for (let made = 0; made < 2_000; made += 1) {
    if (made % 3 === 0) now += made;
    ids.push(port.id('prd_'));
    assert.equal(idMadeAt(ids.at(-1) ?? ''), now);
  }
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(ids.toSorted(), ids);
  now = 1_000;
  assert.equal(make().id('prd_').slice(-16), ids[0]!.slice(-16));
});
