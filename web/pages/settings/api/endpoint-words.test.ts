import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINT_EVENTS } from '../../../../src/model/endpoint.ts';
import type { Endpoint } from '../../../api/endpoints.ts';
import {
  attemptWords,
  bodyOf,
  changeOf,
  checkEndpoint,
  EMPTY_ENDPOINT,
  EVENT_TEXT,
  endpointName,
  endpointState,
  eventsWords,
  formOf,
  groupEvents,
  messageState,
} from './endpoint-words.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const ENDPOINT: Endpoint = {
  _id: 'whk_1',
  kind: 'events',
  url: 'https://example.com/hooks',
  description: 'Warehouse',
  events: null,
  status: 'enabled',
  statusReason: null,
  failingSince: null,
  createdAt: '2026-11-01T00:00:00Z',
};

test('every event that can be subscribed to has its words, and its place in a group', () => {
  assert.deepEqual(Object.keys(EVENT_TEXT).toSorted(), [...ENDPOINT_EVENTS].toSorted());
  const groups = groupEvents(ENDPOINT_EVENTS);
  assert.deepEqual(groups.flatMap(({ events }) => events).toSorted(), [...ENDPOINT_EVENTS].toSorted());
  assert.ok(!groups.some(({ label }) => label === 'Other'));
});

test('what an endpoint is told of, in few words', () => {
  assert.equal(eventsWords(ENDPOINT), 'Everything that happens');
  assert.equal(eventsWords({ kind: 'events', events: ['run.failed', 'pair.halted'] }), 'run.failed, pair.halted');
  const many = eventsWords({ kind: 'events', events: [...ENDPOINT_EVENTS] });
  assert.equal(many, `stock.changed, stock.counted and ${ENDPOINT_EVENTS.length - 2} more`);
  assert.match(eventsWords({ kind: 'chat', events: null }), /^Alerts/);
});

test('paused by a person is quiet, switched off by us is bad, failing is a warning', () => {
  assert.equal(endpointState(ENDPOINT, NOW).tone, 'ok');
  assert.equal(endpointState({ ...ENDPOINT, status: 'disabled' }, NOW).text, 'Paused');
  const off = { ...ENDPOINT, status: 'disabled', statusReason: 'It answered that it is gone (410).' } as const;
  assert.deepEqual(endpointState(off, NOW), { tone: 'bad', text: 'Switched off' });
  assert.equal(endpointState({ ...ENDPOINT, failingSince: '2026-11-27T11:00:00Z' }, NOW).tone, 'warn');
});

test('a message: on its way, tried in vain, waiting for its endpoint, delivered, failed', () => {
  const waiting = { status: 'waiting', attempts: 0, nextAt: null } as const;
  assert.equal(messageState(waiting, NOW).tone, 'running');
  assert.equal(messageState({ ...waiting, attempts: 2, nextAt: '2026-11-27T12:05:00Z' }, NOW).tone, 'warn');
  assert.match(messageState(waiting, NOW, true).text, /resumed/);
  assert.equal(messageState({ ...waiting, status: 'delivered' }, NOW).text, 'Delivered');
  assert.equal(messageState({ ...waiting, status: 'failed' }, NOW).tone, 'bad');
  const last = { attempts: 1, lastStatus: 200, lastError: null, lastMs: 38 };
  assert.equal(attemptWords(last), 'HTTP 200 in 38 ms');
  const refused = { attempts: 3, lastStatus: null, lastError: 'It refused the connection.', lastMs: 4 };
  assert.equal(attemptWords(refused), 'It refused the connection, 3 attempts');
  assert.equal(attemptWords({ ...last, attempts: 0 }), 'Not tried yet');
});

test('an endpoint is called by its name, or else by its address', () => {
  assert.equal(endpointName(ENDPOINT), 'Warehouse');
  assert.equal(endpointName({ description: ' ', url: 'https://example.com/hooks/' }), 'example.com/hooks');
});

test('a form asks for an address, and for one event at least where it is not everything', () => {
  assert.deepEqual(Object.keys(checkEndpoint(EMPTY_ENDPOINT, { isNew: true })), ['url']);
  const some = { ...EMPTY_ENDPOINT, url: 'https://example.com', isEverything: false };
  assert.deepEqual(Object.keys(checkEndpoint(some, { isNew: true })), ['events']);
  assert.deepEqual(checkEndpoint({ ...some, kind: 'chat' }, { isNew: true }), {});
});

test('what is sent is what was meant: everything is null, and a chat has no events', () => {
  const form = { ...EMPTY_ENDPOINT, url: ' https://example.com/in ', description: ' Till ' };
  assert.deepEqual(bodyOf(form), { kind: 'events', url: 'https://example.com/in', description: 'Till', events: null });
  const some = { ...form, isEverything: false, events: ['run.failed'] } as const;
  assert.deepEqual(bodyOf(some).events, ['run.failed']);
  assert.ok(!('events' in bodyOf({ ...some, kind: 'chat' })));
});

test('only what was changed is sent: the address of a chat is kept where none was typed', () => {
  assert.deepEqual(changeOf(formOf(ENDPOINT), ENDPOINT), {});
  assert.deepEqual(changeOf({ ...formOf(ENDPOINT), description: 'Till' }, ENDPOINT), { description: 'Till' });
  const some = { ...formOf(ENDPOINT), isEverything: false, events: ['run.failed'] } as const;
  assert.deepEqual(changeOf(some, ENDPOINT), { events: ['run.failed'] });
  const chosen: Endpoint = { ...ENDPOINT, events: ['run.failed', 'pair.halted'] };
  assert.deepEqual(changeOf({ ...formOf(chosen), events: ['pair.halted', 'run.failed'] }, chosen), {});
  const chat: Endpoint = { ...ENDPOINT, kind: 'chat', url: 'https://hooks.slack.com/…' };
  assert.equal(formOf(chat).url, '');
  assert.deepEqual(checkEndpoint(formOf(chat), { isNew: false }), {});
  assert.deepEqual(changeOf(formOf(chat), chat), {});
});
