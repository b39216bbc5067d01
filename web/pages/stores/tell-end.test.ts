import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SheetEnds, tellEnd } from './tell-end.ts';

async function told(request: Promise<string>, isOpen: boolean): Promise<readonly string[]> {
  const heard: string[] = [];
  const ends: SheetEnds<string> = {
    onDone: (reply) => heard.push(`sheet: ${reply}`),
    onFailed: ({ message }) => heard.push(`sheet: ${message}`),
    done: (reply) => `It is ${reply}.`,
    failed: ({ message }) => `It is not: ${message}`,
    forget: () => heard.push('sheet: forgets'),
  };
  await tellEnd(
    request,
    () => isOpen,
    ends,
    (tone, text) => heard.push(`${tone}: ${text}`),
  );
  return heard;
}

test('an open sheet says how its request ended', async () => {
  assert.deepEqual(await told(Promise.resolve('moved'), true), ['sheet: moved']);
  assert.deepEqual(await told(Promise.reject(new Error('refused')), true), ['sheet: refused']);
});

test('of a sheet that was closed meanwhile the end is told all the same, good or bad, and once', async () => {
  assert.deepEqual(await told(Promise.resolve('moved'), false), ['success: It is moved.']);
  assert.deepEqual(await told(Promise.reject(new Error('refused')), false), [
    'error: It is not: refused',
    'sheet: forgets',
  ]);
});
