import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockedBy, erasedWith, isTypedRight, leavingOf } from './erasure-words.ts';

const OWN = { _id: 'w_own', name: 'Own' };
const TEAM = { _id: 'w_team', name: 'Team' };
const NOTHING = { deletedWorkspaces: [], leftWorkspaces: [], blockedWorkspaces: [], isLastAdmin: false };

test('whether a workspace can be left follows from what would become of it', () => {
  const erasure = { ...NOTHING, deletedWorkspaces: [OWN], leftWorkspaces: [TEAM] };
  assert.deepEqual(leavingOf(erasure, 'w_team'), { standing: 'free', hasOther: true });
  assert.deepEqual(leavingOf(erasure, 'w_own'), { standing: 'gone', hasOther: true });
  assert.deepEqual(leavingOf({ ...NOTHING, blockedWorkspaces: [TEAM] }, 'w_team'), {
    standing: 'blocked',
    hasOther: false,
  });
  assert.equal(leavingOf(NOTHING, 'w_team').standing, 'unknown');
});

test('what goes with the account is named, and so is what stands in the way', () => {
  const lines = erasedWith({ ...NOTHING, deletedWorkspaces: [OWN], leftWorkspaces: [TEAM] });
  assert.equal(lines.length, 3);
  assert.match(lines[1] ?? '', /“Own”/);
  assert.match(lines[2] ?? '', /“Team”/);
  assert.equal(erasedWith(NOTHING).length, 1);
  assert.equal(blockedBy(NOTHING), null);
  assert.match(blockedBy({ ...NOTHING, blockedWorkspaces: [OWN, TEAM] }) ?? '', /“Own” and “Team”/);
  assert.match(blockedBy({ ...NOTHING, isLastAdmin: true }) ?? '', /only administrator/);
});

test('a name that is typed counts to the letter, spaces around it do not', () => {
  assert.ok(isTypedRight(' Engines Ltd ', 'Engines Ltd'));
  assert.ok(!isTypedRight('engines ltd', 'Engines Ltd'));
});
