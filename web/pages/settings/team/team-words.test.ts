import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rolesWithin, scopesWithin, whoCanHelp } from '../../../hooks/roles.ts';
import { LAST_OWNER, linkWords, NOT_IN_DEMO, whyNotMember, whyNotResend, whyNotTeam } from './team-words.ts';

const person = (name: string, role: 'owner' | 'admin' | 'member' | 'viewer', isYou = false) => ({
  ...{ userId: name, name, email: `${name}@example.com`, role, isYou },
  ...{ hasTwoFactor: false, since: '2026-11-01T00:00:00Z' },
});
const ada = person('Ada', 'owner');
const bob = person('Bob', 'admin');
const eve = person('Eve', 'viewer', true);

test('nobody gives more than they have', () => {
  assert.deepEqual(rolesWithin('admin'), ['viewer', 'member', 'admin']);
  assert.deepEqual(rolesWithin('owner').at(-1), 'owner');
  assert.deepEqual(scopesWithin('viewer'), ['read']);
  assert.deepEqual(scopesWithin('member'), ['read', 'operate']);
  assert.deepEqual(scopesWithin('owner'), ['read', 'operate', 'manage']);
});

test('who may not look after the team is told who can help', () => {
  assert.equal(whyNotTeam({ role: 'admin', isDemo: false }, [ada]), null);
  assert.match(whyNotTeam({ role: 'viewer', isDemo: false }, [ada, bob, eve]) ?? '', /Ask Ada or Bob\.$/);
  assert.equal(whyNotTeam({ role: 'owner', isDemo: true }, [ada]), NOT_IN_DEMO);
  assert.equal(whoCanHelp([eve], 'admin'), null);
  assert.equal(whyNotTeam({ role: 'viewer', isDemo: false }, [eve]), 'Administrators look after the team.');
});

test('the last owner stays one; an administrator changes no owner', () => {
  const owner = { role: 'owner', isDemo: false } as const;
  const admin = { role: 'admin', isDemo: false } as const;
  assert.equal(whyNotMember(owner, ada, [ada, bob]), LAST_OWNER);
  assert.equal(whyNotMember(owner, ada, [ada, person('Cid', 'owner')]), null);
  assert.match(whyNotMember(admin, ada, [ada, bob]) ?? '', /Only owners/);
  assert.equal(whyNotMember(admin, bob, [ada, bob]), null);
  assert.match(whyNotMember({ role: 'member', isDemo: false }, eve, [ada, eve]) ?? '', /Administrators/);
  assert.match(whyNotResend(admin, 'owner') ?? '', /Only owners/);
  assert.equal(whyNotResend(admin, 'admin'), null);
});

test('where no mail goes out, it is said what becomes of the link; while it is not known, nothing', () => {
  assert.equal(linkWords({ isMailSent: true, isInstanceAdmin: true }), null);
  assert.equal(linkWords({ isMailSent: null, isInstanceAdmin: true }), null);
  assert.match(linkWords({ isMailSent: false, isInstanceAdmin: true }) ?? '', /yourself/);
  assert.match(linkWords({ isMailSent: false, isInstanceAdmin: false }) ?? '', /outbox/);
});
