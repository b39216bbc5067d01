import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StartupError } from '../lib/startup-error.ts';
import { createCipher, proveCipher } from './cipher.ts';
import { systemClock } from './clock.ts';
import { createLog } from './log.ts';
import { systemRandom } from './random.ts';

const KEY = new Uint8Array(32).fill(1);
const NEXT_KEY = new Uint8Array(32).fill(2);

describe('cipher', () => {
  test('what was sealed opens with the same key and context, and never looks the same twice', () => {
    const cipher = createCipher([KEY]);
    for (const text of ['', 'ck_1', 'ключ 🔑', 'x'.repeat(100_000)]) {
      const sealed = cipher.seal(text, 'store:str_1');
      assert.equal(cipher.open(sealed, 'store:str_1'), text);
      assert.notEqual(cipher.seal(text, 'store:str_1'), sealed);
    }
  });

  test('another context, another key, a changed or cut text do not open', () => {
    const cipher = createCipher([KEY]);
    const sealed = cipher.seal('secret', 'store:str_1');
    assert.throws(() => cipher.open(sealed, 'store:str_2'));
    assert.throws(() => createCipher([NEXT_KEY]).open(sealed, 'store:str_1'), /not among ENCRYPTION_KEY/);
    for (let index = 12; index < sealed.length; index++) {
      const changed = sealed.slice(0, index) + (sealed[index] === 'A' ? 'B' : 'A') + sealed.slice(index + 1);
      // The last digit of base64url may carry bits that are not used.
      if (index < sealed.length - 1) assert.throws(() => cipher.open(changed, 'store:str_1'), `digit ${index}`);
      assert.throws(() => cipher.open(sealed.slice(0, index), 'store:str_1'), `cut at ${index}`);
    }
    assert.throws(() => cipher.open('plain text', ''), /no sealed text/);
  });

  test('after a rotation the new key seals and the old one still opens', () => {
    const old = createCipher([KEY]).seal('secret', 'c');
    const both = createCipher([NEXT_KEY, KEY]);
    assert.equal(both.open(old, 'c'), 'secret');
    assert.equal(createCipher([NEXT_KEY]).open(both.seal('secret', 'c'), 'c'), 'secret');
  });

  test('a database sealed with another key is told at start', () => {
    const proof = proveCipher(createCipher([KEY]), null);
    assert.equal(proveCipher(createCipher([NEXT_KEY, KEY]), proof), proof);
    assert.throws(() => proveCipher(createCipher([NEXT_KEY]), proof), StartupError);
  });

  test('keys of another length are refused', () => {
    assert.throws(() => createCipher([]));
    assert.throws(() => createCipher([KEY, new Uint8Array(16)]));
  });
});

describe('random', () => {
  test('ids sort by time, never repeat, and use the whole alphabet', () => {
    const ids = Array.from({ length: 20_000 }, () => systemRandom.id('prd_'));
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, /^prd_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.equal(new Set(ids.map((id) => id.slice(-16)).join('')).size, 32);
    const stamp = ids.map((id) => id.slice(4, 14));
    assert.deepEqual(stamp, [...stamp].sort());
  });

  test('unit is in [0, 1) and even', () => {
    const values = Array.from({ length: 20_000 }, () => systemRandom.unit());
    assert.ok(values.every((value) => value >= 0 && value < 1));
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    assert.ok(Math.abs(mean - 0.5) < 0.02, String(mean));
  });
});

describe('clock', () => {
  test('sleeps as long as asked, and an abort ends it with its reason', async () => {
    const keepAlive = setTimeout(() => undefined, 5000);
    const before = systemClock.now();
    await systemClock.sleep(20);
    assert.ok(systemClock.now() - before >= 19);
    const stop = new AbortController();
    const sleeping = systemClock.sleep(2 ** 40, stop.signal);
    stop.abort(new Error('enough'));
    await assert.rejects(sleeping, /enough/);
    await assert.rejects(systemClock.sleep(10, stop.signal), /enough/);
    await assert.rejects(systemClock.sleep(0, stop.signal), /enough/);
    clearTimeout(keepAlive);
  });

  test('a wall clock that is set back meanwhile makes no sleep longer', async (t) => {
    const keepAlive = setTimeout(() => undefined, 5000);
    const { now } = Date;
    t.after(() => {
      Date.now = now;
      clearTimeout(keepAlive);
    });
    const sleeping = systemClock.sleep(30).then(() => 'awake');
    Date.now = () => now() - 3_600_000;
    assert.equal(
      await Promise.race([sleeping, new Promise((resolve) => setTimeout(resolve, 1000, 'asleep'))]),
      'awake',
    );
  });
});

describe('log', () => {
  function lines(level: 'info' | 'debug' | 'silent', format: 'json' | 'text' = 'json') {
    const written: string[] = [];
    return { written, log: createLog({ level, format, write: (line) => void written.push(line) }) };
  }

  test('writes one object a line from its level up', () => {
    const { log, written } = lines('info');
    log.debug({ a: 1 }, 'unseen');
    log.warn({ a: 1 }, 'seen');
    assert.equal(written.length, 1);
    const { time, ...rest } = JSON.parse(written[0]!);
    assert.deepEqual(rest, { level: 'warn', a: 1, msg: 'seen' });
    assert.match(time, /^\d{4}-\d\d-\d\dT/);
  });

  test('secrets and email addresses never reach it', () => {
    const { log, written } = lines('debug');
    log.error({ accessToken: 'abc', error: new Error('shpat_0123456789 of ann@shop.example') }, 'for bob@shop.example');
    const text = written.join();
    for (const secret of ['abc', 'shpat_0123456789', 'ann@', 'bob@']) assert.ok(!text.includes(secret), secret);
  });

  test('reads well at a terminal', () => {
    const { log, written } = lines('info', 'text');
    log.info({ count: 3, store: 'str_1', note: 'two words' }, 'a message');
    assert.match(written[0]!, /^\d\d:\d\d:\d\d info {2}a message {2}count=3 store=str_1 note="two words"\n$/);
    log.error({ stack: 'Error: x\n  at y' }, 'broken');
    assert.match(written[1]!, /broken\nError: x\n {2}at y\n$/);
  });

  test('silent is silent', () => {
    const { log, written } = lines('silent');
    log.error({}, 'x');
    assert.deepEqual(written, []);
  });
});
