import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IN_BROWSER, startApp } from './support/app.ts';
import { titled } from './support/waits.ts';

/** Every path outside the dashboard: its heading, its title, and the words that the specification wants on it. */
const PAGES: readonly (readonly [path: string, heading: string | RegExp, title: RegExp, texts: readonly string[]])[] = [
  ['/', /kept level/, /^Twinshelf$/, []],
  ['/login', /^Sign in/, /^Sign in/, ['Remember me for 30 days', 'Quick Demo Access']],
  ['/signup', 'Create an account', /^Create an account/, ['Continue']],
  ['/forgot-password', 'Forgot your password?', /^Forgot password/, []],
  ['/reset-password', 'This link is not valid any more', /^New password/, []],
  ['/verify-email', 'This link is not valid any more', /^Email address/, []],
  ['/accept-invite', 'This invitation is not valid any more', /^Invitation/, []],
  ['/demo', 'Two stores, one click', /^Demo/, []],
  ['/privacy', 'Privacy Policy', /^Privacy Policy/, []],
  ['/terms', 'Terms of Service', /^Terms of Service/, []],
  ['/contact', 'Talk to us.', /^Contact/, ['Try it first']],
  [
    '/about',
    'Build once, sync forever',
    /^About/,
    ['Our story', 'What is different', 'The technology', 'What we hold to', 'Start Free Trial', 'Contact Sales'],
  ],
  [
    '/security',
    /control by control/,
    /^Security/,
    [
      ...['Encryption', 'Access control', 'Infrastructure', 'Compliance', 'Best practices', 'Incident response'],
      ...['Security contact', 'Webhooks'],
    ],
  ],
  ['/license', 'MIT License', /^License/, ['The text', 'What it asks of you', 'Commercial use', 'Questions']],
  [
    '/enterprise',
    'Your own instance, on your own terms.',
    /^Enterprise/,
    [
      ...['Why your own', 'What is in it', 'Deployment, phase by phase', 'What it costs, and when it pays', 'Security'],
      ...['Discovery', '1-2 weeks', 'Infrastructure', '1-3 days', 'Deployment', '2-4 hours', 'Integration', '1-2 days'],
      ...[
        '$10,000 one-time',
        '$2,400 per year',
        'What a licence will add',
        '30-day refund guarantee',
        '99.9% uptime SLA',
        'Ask about Enterprise',
      ],
      'The licence is not on sale yet. It will come with a 30-day refund guarantee, and a 99.9% uptime SLA while support runs.',
    ],
  ],
  [
    '/pricing',
    'Pay for orders, not for products.',
    /^Pricing/,
    [
      ...['Free', '$0', '200 orders per month', 'Unlimited products', 'Growth', '$19', '5,000 orders per month'],
      ...['then $0.004 per order', 'Scale', '$49', '25,000 orders per month', 'then $0.003 per order', 'Custom'],
      '30-day free trial and a 30-day full refund on every paid plan. Prices in US dollars.',
    ],
  ],
  [
    '/pricing?tab=self-hosted',
    'Pay for orders, not for products.',
    /^Pricing/,
    [
      ...['Professional', '$299', '6 months of email support', 'Enterprise', '$10,000', '99.9% uptime SLA'],
      '30-day refund guarantee on paid licences. Prices in US dollars.',
    ],
  ],
  [
    '/no/such/page',
    'Page Not Found',
    /^Page Not Found/,
    ['404', 'The page you are looking for might have been moved, deleted, or the address was mistyped.'],
  ],
];

const PUBLIC_HEADER = ['/privacy', '/terms', '/contact', '/about', '/security', '/license', '/enterprise'];

describe('pages of the specification', IN_BROWSER, () => {
  const app = startApp();

  test('[spec 2, 9] every path has its screen, its title, its words, one h1 and a skip link that comes first', async () => {
    const { page, context, complaints } = await app.openPage({ excused: [404] });
    for (const [path, heading, title, texts] of PAGES) {
      await page.goto(`${app.url}${path}`);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await titled(page, title);
      for (const text of texts) await page.getByText(text, { exact: true }).first().waitFor();
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, path);
      const first = page.locator('a, button, input').first();
      assert.equal(await first.innerText(), 'Skip to content', path);
      assert.equal(await page.getByRole('main').count(), 1, path);
    }
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('[spec 2] the landing header on the landing page, the public one on the others', async () => {
    const { page, context } = await app.openPage();
    const entries = () => page.getByRole('banner').getByRole('link').allInnerTexts();
    for (const path of ['/', '/#pricing', '/#faq']) {
      await page.goto(`${app.url}/about`);
      await page.goto(`${app.url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      assert.deepEqual(await entries(), ['Home', 'Features', 'Performance', 'Pricing', 'Login', 'Get Started'], path);
    }
    for (const path of PUBLIC_HEADER) {
      await page.goto(`${app.url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      assert.deepEqual(await entries(), ['Home', 'Pricing', 'About', 'Contact', 'Login', 'Get Started'], path);
    }
    for (const [name, path] of [
      ['Login', '/login'],
      ['Get Started', '/signup'],
    ] as const)
      assert.equal(await page.getByRole('banner').getByRole('link', { name }).getAttribute('href'), path);
    await context.close();
  });

  test('[spec 1] what is claimed about safety stands on the security page', async () => {
    const { page, context } = await app.openPage();
    await page.goto(`${app.url}/security`);
    for (const claim of [/AES-256/, /TLS .*1\.3/, /HMAC-SHA256/, /Roles in each workspace/, /addresses that you list/])
      await page.getByText(claim).first().waitFor();
    await context.close();
  });
});
