import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Letter, letterContext, takeContactMessage } from '../../accounts/take-contact-message.ts';
import { transact } from '../../db/database.ts';
import { listContactMessages } from '../../db/readers/contact-messages.ts';
import { pruneAccounts } from '../../db/writers/accounts.ts';
import { DAY_MS } from '../../lib/time.ts';
import { makeTestApp } from '../../testing/http/make-test-app.ts';

const LETTER = {
  name: ' Ida Berg ',
  email: 'ida@example.com',
  subject: 'technical',
  message: 'Two shelves \u{1F4DA} مرحبا',
};

test('[spec 5] contact: all four are required, the topic is one of six, lengths are bounded; each field gets its words', async () => {
  await using app = await makeTestApp();
  const post = async (payload: object) => app.server.inject({ method: 'POST', url: '/api/contact', payload });
  const empty = await post({});
  assert.equal(empty.statusCode, 422);
  assert.deepEqual(
    empty.json().error.details.fields.map(({ field }: { field: string }) => field),
    ['name', 'email', 'subject', 'message'],
  );
  const bad = await post({ ...LETTER, email: 'ida', subject: 'gossip', message: 'x'.repeat(5_001) });
  assert.deepEqual(
    bad.json().error.details.fields.map(({ field }: { field: string }) => field),
    ['email', 'subject', 'message'],
  );
  assert.equal(listContactMessages(app.db, 10).length, 0);
});

test('a message is kept word for word, sealed; sent twice it is one; its words stay out of the log', async () => {
  await using app = await makeTestApp();
  const post = async () => app.server.inject({ method: 'POST', url: '/api/contact', payload: LETTER });
  const [first, second] = [await post(), await post()];
  assert.equal(first.statusCode, 201);
  assert.equal(second.json().messageId, first.json().messageId);
  const [row, ...more] = listContactMessages(app.db, 10);
  assert.equal(more.length, 0);
  assert.ok(row);
  const letter = app.accounts.vault.open<Letter>(row.letter, letterContext(row.id));
  assert.deepEqual(letter, { name: 'Ida Berg', email: 'ida@example.com', message: LETTER.message });
  const log = JSON.stringify([app.log, row]);
  for (const secret of ['Ida', 'ida@example.com', 'Two shelves']) assert.ok(!log.includes(secret), secret);
});

test('more than six a minute from one source have to wait', async () => {
  await using app = await makeTestApp();
  const codes: number[] = [];
  for (let count = 0; count < 7; count += 1) {
    const payload = { ...LETTER, message: `Letter ${count}` };
    codes.push((await app.server.inject({ method: 'POST', url: '/api/contact', payload })).statusCode);
  }
  assert.deepEqual(codes, [201, 201, 201, 201, 201, 201, 429]);
});

test('administrators of the instance get it by email, and nobody else; without a mail server nothing is ordered', async () => {
  await using app = await makeTestApp();
  app.person({ role: 'owner' });
  const admin = app.person({ isInstanceAdmin: true });
  await app.server.inject({ method: 'POST', url: '/api/contact', payload: LETTER });
  assert.deepEqual(app.mails, []);
  takeContactMessage(app.accounts, { ...LETTER, message: 'Another one' }, '::1', true);
  assert.deepEqual(
    app.mails.map(({ kind, to }) => [kind, to]),
    [['contact', `${admin.user.id}@example.com`]],
  );
});

test('a flood from many sources ends with two hundred letters a day, and letters go with the years', async () => {
  await using app = await makeTestApp();
  app.person({ isInstanceAdmin: true });
  const write = (n: number) =>
    takeContactMessage(app.accounts, { ...LETTER, message: `Letter ${n}` }, `203.0.113.${n % 40}`, true);
  for (let n = 0; n < 200; n += 1) write(n);
  assert.throws(() => write(200), { code: 'CONTACT_FULL', details: { retryAfterMs: DAY_MS } });
  assert.equal(app.mails.length, 200, 'nor are administrators flooded');
  app.clock.advance(DAY_MS);
  write(201);
  const ages = { now: app.clock.now(), auditBefore: app.clock.now(), auditMax: 150, mailBefore: 0, replyBefore: 0 };
  const left = () => listContactMessages(app.db, 1_000).length;
  transact(app.db, (tx) => pruneAccounts(tx, ages));
  assert.equal(left(), 51, 'in portions');
  transact(app.db, (tx) => pruneAccounts(tx, ages));
  assert.equal(left(), 1);
});

test('one source has a share of the letters of a day, an IPv6 network a larger one; others still write theirs', async () => {
  await using app = await makeTestApp();
  let count = 0;
  const write = (ip: string) => {
    count += 1;
    return takeContactMessage(app.accounts, { ...LETTER, message: `Letter ${count}` }, ip, false);
  };
  for (let n = 0; n < 10; n += 1) write(`2001:db8:1:1::${n}`);
  app.clock.advance(60_000);
  assert.throws(() => write('2001:db8:1:1::ff'), {
    code: 'CONTACT_FULL',
    message: 'Several letters have come from your network today. Try again tomorrow.',
    details: { retryAfterMs: DAY_MS - 60_000 },
  });
  for (let n = 0; n < 20; n += 1) write(`2001:db8:1:${n + 2}::1`);
  assert.throws(() => write('2001:db8:1:ffff::1'), { code: 'CONTACT_FULL' });
  write('2001:db8:2::1');
  write('203.0.113.1');
});
