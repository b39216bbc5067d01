import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { transact } from '../db/database.ts';
import { findOutboxMail } from '../db/readers/outbox.ts';
import { createCipher } from '../system/cipher.ts';
import { startMailServer } from '../testing/support/mail-server.ts';
import { openMemoryDatabase } from '../testing/support/memory-database.ts';
import { makeTestClock } from '../testing/support/test-clock.ts';
import { makeTestLog } from '../testing/support/test-log.ts';
import { makeTestRandom } from '../testing/support/test-random.ts';
import { layOutMail } from './lay-out-mail.ts';
import { mailWords } from './mail-words.ts';
import { deliverMail, type OutboxContext, openEnvelope, orderMail, releaseHeldMails } from './outbox.ts';
import { createSmtp } from './smtp.ts';

const NEVER = new AbortController().signal;
const ORDER = {
  kind: 'reset_password',
  to: 'ada@example.com',
  firstName: 'Ada',
  link: 'https://sync.example.com/reset-password#token=rst_abc',
} as const;

function setUp(send: OutboxContext['send']) {
  const queued: string[] = [];
  const log = makeTestLog();
  const ctx: OutboxContext = {
    db: openMemoryDatabase(),
    clock: makeTestClock(),
    random: makeTestRandom(),
    log,
    cipher: createCipher([new Uint8Array(32).fill(3)]),
    indexOf: (address) => `index of ${address.length}`,
    send,
    enqueue: (_tx, id) => void queued.push(id),
  };
  const order = () => transact(ctx.db, (tx) => orderMail(ctx, tx, ORDER));
  return { ctx, queued, order, log, row: (id: string) => findOutboxMail(ctx.db, id) };
}

test('without a mail server an email is kept, readable by the owner, and nothing says it was sent', async () => {
  const { ctx, order, row, log, queued } = setUp(null);
  const id = order();
  assert.deepEqual([row(id)?.state, row(id)?.sentAt], ['held', null]);
  assert.match(openEnvelope(ctx, row(id) ?? { id, mail: '' }).text, /#token=rst_abc/);
  assert.deepEqual(queued, []);
  assert.match(log.text(), /waits in the outbox/);
  assert.doesNotMatch(log.text(), /rst_abc|ada@example/);
  assert.doesNotMatch(row(id)?.mail ?? '', /ada|rst_abc/);
});

test('an email goes out over SMTP in text and HTML, and its link is not kept', async () => {
  const mail = await startMailServer(() => '250 ok');
  const smtp = createSmtp(mail.url, 'Twinshelf <sync@example.com>');
  try {
    const { ctx, order, row } = setUp(smtp.send);
    const id = order();
    assert.deepEqual(await deliverMail(ctx, id, NEVER), { type: 'done' });
    const [message = ''] = mail.received;
    assert.match(message, /^From: Twinshelf <sync@example\.com>/m);
    assert.match(message, /^To: ada@example\.com/m);
    assert.match(message, /Content-Type: text\/plain/);
    assert.match(message, /Content-Type: text\/html/);
    assert.match(message.replaceAll(/=\r\n/g, ''), /reset-password#token=3Drst_abc|reset-password#token=rst_abc/);
    assert.equal(row(id)?.state, 'sent');
    assert.equal(openEnvelope(ctx, row(id) ?? { id, mail: '' }).text, '');
    await deliverMail(ctx, id, NEVER);
    assert.equal(mail.received.length, 1, 'a repeated job sends nothing twice');
  } finally {
    smtp.close();
    mail.close();
  }
});

test('what the server refuses for now is tried again, later and later; what it refuses for good is given up and stays readable', async () => {
  let answer = '451 come back later';
  const mail = await startMailServer(() => answer);
  const smtp = createSmtp(mail.url, 'sync@example.com');
  try {
    const { ctx, order, row } = setUp(smtp.send);
    const id = order();
    assert.deepEqual(await deliverMail(ctx, id, NEVER), { type: 'snooze', ms: 60_000 });
    assert.deepEqual(await deliverMail(ctx, id, NEVER), { type: 'snooze', ms: 120_000 });
    assert.equal(row(id)?.state, 'queued');
    assert.match(row(id)?.lastError ?? '', /451/);
    answer = '550 no such user ada@example.com';
    assert.deepEqual(await deliverMail(ctx, id, NEVER), { type: 'done' });
    assert.equal(row(id)?.state, 'failed');
    assert.match(row(id)?.lastError ?? '', /550/);
    assert.doesNotMatch(row(id)?.lastError ?? '', /ada@/);
    assert.match(openEnvelope(ctx, row(id) ?? { id, mail: '' }).text, /rst_abc/);
  } finally {
    smtp.close();
    mail.close();
  }
});

test('a mail server that says nothing holds no stop up: the attempt ends, and the email waits for the next start', async () => {
  let socket: Socket | null = null;
  const silent = createServer((opened) => {
    socket = opened.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const smtp = createSmtp(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`, 'sync@example.com');
  const { ctx, order, row } = setUp(smtp.send);
  const id = order();
  const stopping = new AbortController();
  const attempt = deliverMail(ctx, id, stopping.signal);
  await once(silent, 'connection');
  const closed = once(socket as unknown as Socket, 'close');
  stopping.abort(new Error('the server is stopping'));
  const late = sleep(2_000, 'too late', { ref: false });
  assert.equal(await Promise.race([attempt.catch((error: Error) => error.message), late]), 'the server is stopping');
  assert.notEqual(await Promise.race([closed, late]), 'too late', 'no connection keeps the process alive');
  assert.deepEqual([row(id)?.state, row(id)?.attempts], ['queued', 0]);
  smtp.close();
  silent.close();
});

test('what was kept goes out once there is a mail server, unless it is a day old', () => {
  const { ctx, order, queued, row } = setUp(null);
  const old = order();
  (ctx.clock as ReturnType<typeof makeTestClock>).advance(86_400_001);
  const fresh = order();
  assert.equal(releaseHeldMails({ ...ctx, send: async () => undefined }), 1);
  assert.deepEqual(queued, [fresh]);
  assert.deepEqual([row(old)?.state, row(fresh)?.state], ['held', 'queued']);
});

test('nothing that somebody typed becomes a header or markup', () => {
  const evil = '"><img src=x onerror=alert(1)>\r\nBcc: everyone@example.com';
  const mail = layOutMail(
    mailWords('invitation', { inviter: evil, workspace: evil, role: 'viewer', link: 'https://x/#token=1' }),
  );
  assert.doesNotMatch(mail.subject, /[\r\n]/);
  assert.doesNotMatch(mail.html, /<img/);
  assert.doesNotMatch(mail.html, /https?:\/\/(?!x\/)/, 'nothing is loaded from anywhere');
});
