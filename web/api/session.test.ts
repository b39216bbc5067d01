import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { User } from '../../src/contracts/auth.ts';
import { queryClient } from './query-client.ts';
import { clearSession, onPersonChange, storeRenewed, storeSession } from './session.ts';

const stored = new Map<string, string>();

before(() => {
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  Object.assign(globalThis, { localStorage });
});
after(() => {
  Object.assign(globalThis, { localStorage: undefined });
});

function userOf(id: string, workspaceId: string): User {
  return { id, workspace: { _id: workspaceId } } as User;
}

test('what was fetched goes with the person and the workspace that it was fetched for, and with nothing else', () => {
  let changes = 0;
  onPersonChange(() => {
    changes += 1;
  });
  const isKeptAfter = (change: () => void): boolean => {
    queryClient.setQueryData(['overview'], 'numbers');
    change();
    return queryClient.getQueryData(['overview']) !== undefined;
  };
  storeSession('first', userOf('usr_1', 'ws_1'));
  assert.equal(
    isKeptAfter(() => storeRenewed('renewed', userOf('usr_1', 'ws_1'))),
    true,
  );
  assert.equal(
    isKeptAfter(() => storeSession('again', userOf('usr_1', 'ws_1'))),
    true,
  );
  assert.equal(
    isKeptAfter(() => storeSession('moved', userOf('usr_1', 'ws_2'))),
    false,
  );
  assert.equal(
    isKeptAfter(() => storeSession('other', userOf('usr_2', 'ws_2'))),
    false,
  );
  assert.equal(
    isKeptAfter(() => clearSession()),
    false,
  );
  assert.equal(changes, 4);
});
