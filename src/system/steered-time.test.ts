import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/time.ts';
import { mayHaveLost } from '../ports/clock.ts';
import { createSteeredTime } from './steered-time.ts';

const START = Date.UTC(2026, 0, 5, 9);

/** A machine: `pass` lets time go by, `set` turns the hands of its clock. */
function machine(driftPpm = 0) {
  let even = 5_000.25;
  let offset = START - even;
  const wallMs = () => Math.floor(even * (1 + driftPpm / 1e6) + offset);
  const { now, brokenAt, slowedAt } = createSteeredTime({ wallMs, evenMs: () => even });
  return {
    now,
    brokenAt,
    slowedAt,
    wallMs,
    elapsed: () => even,
    set: (byMs: number) => {
      offset += byMs;
    },
    /** Reads the time at each step: it must never be earlier than before. */
    pass: (ms: number, stepMs: number) => {
      let last = now();
      for (let left = ms; left > 0; left -= stepMs) {
        even += Math.min(stepMs, left);
        const next = now();
        assert.ok(next >= last, `from ${last} to ${next}`);
        assert.ok(Number.isInteger(next));
        last = next;
      }
    },
  };
}

describe('steered time', () => {
  test('begins at the wall clock and runs with it', () => {
    const { now, pass, wallMs } = machine();
    assert.equal(now(), START);
    pass(HOUR_MS, 700);
    assert.equal(now(), wallMs());
    assert.ok(Math.abs(now() - START - HOUR_MS) <= 1);
  });

  for (const byMs of [HOUR_MS, -HOUR_MS, 12 * HOUR_MS, -12 * HOUR_MS]) {
    test(`a wall clock that is set by ${byMs / HOUR_MS} h shortens and lengthens no minute by more than 5 %`, () => {
      const { now, set, pass } = machine();
      set(byMs);
      for (let minute = 0; minute < 30; minute += 1) {
        const from = now();
        pass(MINUTE_MS, 250);
        const took = now() - from;
        assert.ok(took >= 0.95 * MINUTE_MS - 1 && took <= 1.05 * MINUTE_MS + 1, `${took} ms`);
        // It does come nearer, by all that it may.
        assert.ok(Math.abs(took - (byMs > 0 ? 1.05 : 0.95) * MINUTE_MS) <= 2, `${took} ms`);
      }
    });
  }

  test('while it waits for a wall clock that was set back it says that it is slow, and is silent of what keeps a clock in time', () => {
    const { now, set, pass, slowedAt } = machine(-200);
    pass(HOUR_MS, 700);
    assert.equal(slowedAt(), 0);
    set(-HOUR_MS);
    pass(HOUR_MS, 700);
    assert.equal(slowedAt(), now());
    pass(20 * HOUR_MS, 7_000);
    const until = slowedAt();
    assert.ok(until < now());
    set(HOUR_MS);
    pass(HOUR_MS, 700);
    assert.equal(slowedAt(), until, 'ahead is no slowing');
  });

  test('what slow time may have lost since then is never told as less than it has', () => {
    const { now, set, pass, elapsed } = machine();
    set(-5 * HOUR_MS);
    for (const hours of [0.1, 1, 3, 10]) {
      const [from, began] = [now(), elapsed()];
      pass(hours * HOUR_MS, 700);
      const shown = now() - from;
      const lost = elapsed() - began - shown;
      assert.ok(lost > 0 && lost <= mayHaveLost(shown) + 2, `${lost} ms of ${hours} h, told as ${mayHaveLost(shown)}`);
    }
  });

  test('an hour is made up for in twenty, whether it is asked often or hardly ever, and then it stays', () => {
    for (const byMs of [HOUR_MS, -HOUR_MS]) {
      for (const stepMs of [SECOND_MS, 3 * HOUR_MS]) {
        const { now, set, pass, wallMs } = machine();
        set(byMs);
        pass(19 * HOUR_MS, stepMs);
        assert.ok(Math.abs(now() - wallMs()) > MINUTE_MS);
        pass(2 * HOUR_MS, stepMs);
        assert.ok(Math.abs(now() - wallMs()) <= 1);
        pass(HOUR_MS, stepMs);
        assert.ok(Math.abs(now() - wallMs()) <= 1);
      }
    }
  });

  test('what a time server corrects all the while is followed to the millisecond', () => {
    for (const ppm of [100, -100]) {
      const { now, pass, wallMs } = machine(ppm);
      for (let hour = 0; hour < 48; hour += 1) {
        pass(HOUR_MS, 10 * SECOND_MS);
        assert.ok(Math.abs(now() - wallMs()) <= 1, `${now() - wallMs()} ms off`);
      }
    }
  });

  test('what is days off is taken at once: a machine that slept, or one that began without a clock', () => {
    for (const byMs of [1.1 * DAY_MS, 9_000 * DAY_MS, -9_000 * DAY_MS]) {
      const { now, set, wallMs } = machine();
      now();
      set(byMs);
      assert.equal(now(), wallMs());
    }
  });

  test('set to and fro, it never goes back', () => {
    const { now, set, pass } = machine();
    const from = now();
    for (let round = 0; round < 200; round += 1) {
      set(((round * 7919) % 13) * 10 * MINUTE_MS - HOUR_MS);
      pass(20 * SECOND_MS, 130);
      set(-(((round * 7919) % 13) * 10 * MINUTE_MS - HOUR_MS));
    }
    const took = now() - from;
    assert.ok(took >= 0.95 * 4_000 * SECOND_MS && took <= 1.05 * 4_000 * SECOND_MS);
  });

  test('it says when time went on without us: after a sleep or a clock set ahead, and not for what a time server corrects', () => {
    const { now, set, pass, brokenAt } = machine(200);
    pass(DAY_MS, MINUTE_MS);
    assert.equal(brokenAt(), 0);
    set(-HOUR_MS);
    assert.equal(brokenAt(), 0);
    pass(HOUR_MS, MINUTE_MS);
    const before = now();
    set(2 * SECOND_MS);
    assert.equal(brokenAt(), before);
    pass(MINUTE_MS, SECOND_MS);
    assert.equal(brokenAt(), before);
    set(8 * HOUR_MS);
    assert.equal(brokenAt(), now());
    set(2 * DAY_MS);
    assert.equal(brokenAt(), now());
  });
});
