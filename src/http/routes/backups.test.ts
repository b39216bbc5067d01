import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StartupError } from '../../lib/startup-error.ts';
import { Refusal } from '../../model/refusal.ts';
import { makeTestApp } from '../../testing/http/make-test-app.ts';
import type { BackupCopy, BackupsApi } from '../backups-api.ts';

const AT = Date.UTC(2026, 10, 21, 3, 15);
const DAILY: BackupCopy = { name: 'daily-20261121T031500Z.db', reason: 'daily', madeAt: AT, sizeBytes: 4096 };
const OWN: BackupCopy = { name: 'twinshelf-20261121T090000Z.db', reason: 'by_hand', madeAt: AT + 1, sizeBytes: 8192 };

function backupsWith(change: Partial<BackupsApi> = {}): BackupsApi {
  let isMade = false;
  return {
    ...{ dir: '/data/backups', keep: 3, nextAt: () => AT + 2, lastFailure: () => null, isMaking: () => false },
    list: () => (isMade ? [OWN, DAILY] : [DAILY]),
    make: async () => {
      isMade = true;
      return { file: `/data/backups/${OWN.name}` };
    },
    ...change,
  };
}

async function appWith(change: Partial<BackupsApi> = {}) {
  const app = await makeTestApp({ deps: { backups: backupsWith(change) } });
  const admin = app.person({ isInstanceAdmin: true });
  const send = (method: 'GET' | 'POST', headers = admin.headers, url = '/api/instance/backups') =>
    app.server.inject({ method, url, headers });
  return { app, send };
}

test('an administrator of the instance sees the copies, when the next one is made, and what failed', async () => {
  const { app, send } = await appWith({ lastFailure: () => ({ at: AT, text: 'No room. Free some space.' }) });
  await using _ = app;
  const reply = await send('GET');
  assert.equal(reply.statusCode, 200);
  assert.deepEqual(reply.json(), {
    backups: [{ name: DAILY.name, reason: 'daily', madeAt: '2026-11-21T03:15:00.000Z', sizeBytes: 4096 }],
    directory: '/data/backups',
    dailyKept: 3,
    nextDailyAt: '2026-11-21T03:15:00.002Z',
    isMaking: false,
    lastFailure: { at: '2026-11-21T03:15:00.000Z', text: 'No room. Free some space.' },
  });
  const owner = app.person();
  for (const method of ['GET', 'POST'] as const) assert.equal((await send(method, owner.headers)).statusCode, 403);
});

test('a copy by hand is answered when it is whole, and stands in the log with who asked for it', async () => {
  const { app, send } = await appWith();
  await using _ = app;
  const reply = await send('POST');
  assert.equal(reply.statusCode, 201);
  assert.equal(reply.json().backup.name, OWN.name);
  const log = (await send('GET', undefined, '/api/instance/audit')).json();
  const [entry] = log.entries;
  assert.deepEqual([entry.action, entry.target, entry.change], ['instance.backup_made', OWN.name, { name: OWN.name }]);
});

test('one that is not made says why and what to do, and leaves no entry', async () => {
  const failures = [
    [
      new StartupError('A backup needs 2 MB.', 'Free some space.'),
      409,
      'BACKUP_FAILED',
      'A backup needs 2 MB. Free some space.',
    ],
    [new Refusal('BACKUP_UNDER_WAY', 'One is being made.'), 409, 'BACKUP_UNDER_WAY', 'One is being made.'],
  ] as const;
  for (const [error, status, code, message] of failures) {
    const { app, send } = await appWith({ make: () => Promise.reject(error) });
    await using _ = app;
    const reply = await send('POST');
    assert.equal(reply.statusCode, status);
    assert.equal(reply.json().error.code, code);
    assert.equal(reply.json().error.message, message);
    const log = (await send('GET', undefined, '/api/instance/audit')).json();
    assert.deepEqual(
      log.entries.filter(({ action }: { action: string }) => action.startsWith('instance.')),
      [],
    );
  }
});
