import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POLICIES } from '../../src/http/policy.ts';
import { RIGHTS, type RightName, whyNot } from './rights.ts';

test('the pages know the rights that the server has: each route that not every role may call, with the same least role', () => {
  const known = Object.values(RIGHTS).flatMap(({ needs, routes }) => routes.map((route) => [route, needs] as const));
  const held = Object.entries(POLICIES)
    .filter(([, { role }]) => role !== 'public' && role !== 'viewer')
    .map(([route, { role }]) => [route, role] as const);
  assert.deepEqual(Object.fromEntries(known), Object.fromEntries(held));
  assert.equal(known.length, held.length, 'a route belongs to one right');
});

test('a viewer may do none of it and is told why and whom to ask; an owner all', () => {
  const ida = { name: 'Ida Berg', role: 'owner', isYou: false } as const;
  for (const right of Object.keys(RIGHTS) as RightName[]) {
    assert.match(whyNot('viewer', right, [ida]) ?? '', /\. Ask Ida Berg\.$/);
    assert.equal(whyNot('owner', right, []), null);
  }
  assert.equal(
    whyNot('viewer', 'sync', [ida]),
    'You are a viewer here and may only look. Members start and cancel syncs. Ask Ida Berg.',
  );
  assert.equal(whyNot('member', 'sync', []), null);
  assert.equal(whyNot('member', 'stores', []), 'Administrators look after stores and pairs.');
  assert.equal(whyNot('admin', 'workspace', []), 'Owners delete the workspace.');
});
