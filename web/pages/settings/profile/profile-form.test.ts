import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, changesIn, checkProfile, editsAfterReset, type ProfileForm, resetOf } from './profile-form.ts';

const STORED: ProfileForm = {
  ...{ firstName: 'Ida', lastName: 'Berg', company: '', timezone: 'Asia/Tokyo' },
  ...{ email: true, syncAlerts: false, billingAlerts: true, weeklyReports: false, newsletter: true },
};

test('what was typed and taken back is no change, and only what changed is sent', () => {
  assert.deepEqual(changesIn(STORED, { firstName: 'Ida', syncAlerts: false }), {});
  const changes = changesIn(STORED, { firstName: 'Eda', lastName: 'Berg', syncAlerts: true, newsletter: false });
  assert.deepEqual(changes, { firstName: 'Eda', syncAlerts: true, newsletter: false });
  assert.deepEqual(bodyOf(changes), {
    firstName: 'Eda',
    notifications: { syncAlerts: true },
    subscribeToNewsletter: false,
  });
  assert.deepEqual(bodyOf({ timezone: '' }), { timezone: '' });
});

test("names are required in the specification's words", () => {
  assert.deepEqual(checkProfile({ ...STORED, firstName: ' ', lastName: '' }), {
    firstName: 'First name is required',
    lastName: 'Last name is required',
  });
  assert.deepEqual(checkProfile(STORED), {});
});

test('going back to the defaults says what it changes, and leaves names and consent', () => {
  const { changes, words } = resetOf(STORED);
  assert.deepEqual(changes, { timezone: '', syncAlerts: true });
  assert.deepEqual(words, ['Time zone: that of the browser, in place of Asia/Tokyo', 'Alerts: on']);
  assert.deepEqual(resetOf({ ...STORED, ...changes }), { changes: {}, words: [] });
});

test('what was typed and not saved stays after that, where the defaults say nothing of it', () => {
  const typed = { firstName: 'Eda', company: 'Fjord', newsletter: false };
  assert.deepEqual(editsAfterReset({ ...typed, timezone: 'Asia/Tokyo', syncAlerts: false }), typed);
});
