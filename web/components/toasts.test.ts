import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownOf, type Toast, type ToastTone, withToast } from './toasts.ts';

function tell(...tones: readonly ToastTone[]): readonly Toast[] {
  return tones.reduce<readonly Toast[]>((known, tone, id) => withToast(known, { id, tone, text: `${tone} ${id}` }), []);
}

const ids = (toasts: readonly Toast[]) => toasts.map(({ id }) => id);

test('three at once: what passes by itself is pushed out by what is newer', () => {
  assert.deepEqual(ids(shownOf(tell('success', 'warning', 'success', 'success')).shown), [1, 2, 3]);
});

test('an error is pushed out by nothing', () => {
  assert.deepEqual(ids(shownOf(tell('error', 'success', 'success', 'success', 'success')).shown), [0, 3, 4]);
  assert.deepEqual(ids(shownOf(tell('error', 'error', 'error', 'success', 'success')).shown), [0, 1, 2, 4]);
});

test('more errors than there is room for wait their turn, counted', () => {
  const toasts = tell('error', 'error', 'error', 'error', 'error');
  assert.deepEqual([ids(shownOf(toasts).shown), shownOf(toasts).waiting], [[0, 1, 2], 2]);
  const rest = toasts.filter(({ id }) => id !== 0);
  assert.deepEqual([ids(shownOf(rest).shown), shownOf(rest).waiting], [[1, 2, 3], 1]);
});
