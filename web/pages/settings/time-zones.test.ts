import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserZones, timeZoneOptions } from './time-zones.ts';

test("the browser's zone comes first, then the specification's seven, then the others, each once", () => {
  const known = ['Africa/Cairo', 'America/New_York', 'Europe/Paris'];
  const options = timeZoneOptions('', { own: 'America/New_York', known });
  assert.deepEqual(
    options.map(({ label }) => label),
    [
      ...['As in this browser (America/New York)', 'New York', 'Chicago', 'Denver', 'Los Angeles', 'London', 'Paris'],
      ...['Tokyo', 'Africa/Cairo'],
    ],
  );
});

test('what is stored can be shown, also where the browser does not know it', () => {
  const values = timeZoneOptions('Antarctica/Troll', { own: '', known: [] }).map(({ value }) => value);
  assert.ok(values.includes('Antarctica/Troll'));
  assert.equal(values.filter((value) => value === 'Europe/Paris').length, 1);
  assert.equal(timeZoneOptions('Europe/Paris', { own: '', known: [] }).length, 8);
  assert.ok(browserZones().known.length > 100);
});
