import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FACTS, GAINS, MEASURED, TESTIMONIALS, withBasis } from './claims.ts';
import { TEXT } from './messages.en.ts';
import { letterHref, SITE } from './site.ts';

const contact = ({ topic, about }: { topic: string; about: string }) => `/contact?${topic}&${about}`;

test('[spec 1] claims are kept, and what nobody can check is not said', () => {
  const claims = [...FACTS, ...MEASURED, ...GAINS];
  const shown = withBasis(claims).map(({ value }) => value);
  const known = claims.map(({ value }) => value);
  const unproved = ['500+', '99.9%', '$2.1M+', '15 minutes', 'under 50 ms', '1000+', '256 MB'];
  for (const value of [...unproved, '4.2 months', '$7,200+ over 3 years']) {
    assert.ok(known.includes(value), `${value} is not known`);
    assert.ok(!shown.includes(value), `${value} is said`);
  }
  assert.ok(withBasis(FACTS).length >= 4);
  for (const { source, name } of TESTIMONIALS) assert.ok(source !== '' && name !== '');
});

test('[spec 1] letters have their subjects; without a mailbox they go through the contact form', () => {
  assert.equal(
    letterHref('enterpriseDemo', contact, { salesEmail: null, enterpriseEmail: 'e@example.com' }),
    'mailto:e@example.com?subject=Enterprise%20Demo%20Request',
  );
  assert.equal(
    letterHref('enterpriseLicence', contact, { salesEmail: null, enterpriseEmail: 'e@example.com' }),
    'mailto:e@example.com?subject=Enterprise%20License%20Purchase',
  );
  assert.equal(letterHref('enterpriseDemo', contact), '/contact?enterprise&Enterprise Demo Request');
});

test('no download is offered that the server does not have', () => {
  assert.deepEqual(SITE.downloads, { plugin: null, enterprise: null });
});

test('[spec 9] response times are kept for an operator who promises them, and nobody does so unasked', () => {
  assert.deepEqual(TEXT.contact.responseTimes, [
    ['General', '24 hours'],
    ['Technical', '12 hours'],
    ['Enterprise', '4 hours'],
    ['Emergency', '1 hour'],
  ]);
  assert.equal(TEXT.contact.sentInTime, "Thank you for your message! We'll get back to you within 24 hours.");
  assert.equal(SITE.responseTimes, null);
});
