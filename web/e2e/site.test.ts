import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { SECTIONS } from '../routes.ts';
import { IN_BROWSER, startApp } from './support/app.ts';
import { alive, focused, framesDrawn, titled } from './support/waits.ts';

describe('public site', IN_BROWSER, () => {
  const app = startApp();

  const scrolledTo = (page: Page, id: string) =>
    page.waitForFunction((part) => {
      const top = document.getElementById(part)?.getBoundingClientRect().top ?? 9e9;
      return Math.abs(top) < 140;
    }, id);

  test('[spec 2] landing: seven anchored sections are in the page before any script, and hydration changes nothing', async () => {
    const html = await (await fetch(`${app.url}/`)).text();
    const ids = [...html.matchAll(/<section id="([a-z-]+)"/g)].map(([, id]) => id);
    assert.deepEqual(ids, [...SECTIONS]);
    assert.match(html, /Two stores,/);
    assert.ok(!/style="/.test(html), 'no inline styles: the content security policy refuses them');
    const { page, context, complaints } = await app.openPage();
    await page.goto(app.url);
    await alive(page);
    await page.getByRole('radio', { name: 'Self-hosted' }).press('Space');
    await page.getByText('$299').waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('[spec 2] landing header: entries glide to their section and change the hash; 50 px make it stand out; back to top', async () => {
    const { page, context, complaints } = await app.openPage();
    await page.goto(app.url);
    const header = page.locator('header').first();
    await alive(page);
    await page.evaluate(() => window.scrollTo(0, 50));
    await page.waitForFunction(() => window.scrollY === 50);
    await framesDrawn(page);
    assert.equal(await header.getAttribute('data-scrolled'), null);
    await page.evaluate(() => window.scrollTo(0, 51));
    await page.locator('header[data-scrolled]').waitFor();
    for (const [name, id] of [
      ['Features', 'features'],
      ['Performance', 'performance'],
      ['Pricing', 'pricing'],
      ['Home', 'home'],
    ] as const) {
      await header.getByRole('link', { name, exact: true }).first().click();
      await scrolledTo(page, id);
      assert.equal(new URL(page.url()).hash, `#${id}`);
      await focused(page.locator(`#${id}`));
    }
    await header.getByRole('link', { name: 'Pricing', exact: true }).first().focus();
    await page.keyboard.press('Space');
    await scrolledTo(page, 'pricing');
    await page.getByRole('button', { name: 'Back to top' }).click();
    await page.waitForFunction(() => window.scrollY === 0);
    await page.getByRole('button', { name: 'Back to top' }).waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('[spec 2] mobile menu: opens, closes on Escape, entries answer to Enter and Space', async () => {
    const { page, context, complaints } = await app.openPage({ width: 360, height: 780 });
    await page.goto(`${app.url}/about`);
    await alive(page);
    const open = page.getByRole('button', { name: 'Open menu' });
    await open.click();
    const menu = page.getByRole('navigation', { name: 'Site menu' });
    await menu.waitFor();
    assert.deepEqual(await menu.getByRole('link').allInnerTexts(), ['Home', 'Pricing', 'About', 'Contact', 'Login']);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    await focused(open);
    await page.keyboard.press('Enter');
    await menu.getByRole('link', { name: 'Contact' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('heading', { level: 1, name: 'Talk to us.' }).waitFor();
    await menu.waitFor({ state: 'hidden' });
    await open.click();
    await menu.getByRole('link', { name: 'Pricing' }).press('Enter');
    await page.waitForURL(`${app.url}/#pricing`);
    await scrolledTo(page, 'pricing');
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('[spec 2] public header: logo to the top, Home, Pricing to /#pricing, Contact, Login, Get Started', async () => {
    const { page, context } = await app.openPage();
    await page.goto(`${app.url}/terms`);
    await alive(page);
    const header = page.locator('header').first();
    assert.deepEqual(await header.getByRole('link').allInnerTexts(), [
      ...['Home', 'Pricing', 'About', 'Contact', 'Login', 'Get Started'],
    ]);
    await page.evaluate(() => window.scrollTo(0, 800));
    await page.waitForFunction(() => window.scrollY > 0);
    await header.getByRole('button', { name: /to the top$/ }).click();
    await page.waitForFunction(() => window.scrollY === 0);
    await header.getByRole('link', { name: 'Pricing' }).click();
    await page.waitForURL(`${app.url}/#pricing`);
    await scrolledTo(page, 'pricing');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Terms of Service' }).waitFor();
    await context.close();
  });

  test('[spec 2, 9] pricing: both tabs, by address, with the specification’s numbers', async () => {
    const { page, context, complaints } = await app.openPage();
    await page.goto(`${app.url}/pricing`);
    for (const text of ['$0', '$19', '$49', 'Custom', 'then $0.004 per order', 'then $0.003 per order'])
      await page.getByText(text, { exact: true }).first().waitFor();
    await alive(page);
    await page.getByRole('radio', { name: 'Self-hosted' }).press('Space');
    await page.getByText('$10,000', { exact: true }).waitFor();
    assert.equal(new URL(page.url()).search, '?tab=self-hosted');
    await page.reload();
    await page.getByText('$299', { exact: true }).waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('[spec 2, 9] about, enterprise, license, security and the policies say what they have to', async () => {
    const { page, context, complaints } = await app.openPage();
    const pages: readonly (readonly [string, readonly string[]])[] = [
      ['/about', ['Build once, sync forever', 'Our story', 'Start Free Trial', 'Contact Sales']],
      ['/enterprise', ['1-2 weeks', '1-3 days', '2-4 hours', '1-2 days', '$10,000 one-time', '$2,400 per year']],
      [
        '/security',
        ['Encryption', 'Access control', 'Infrastructure', 'Compliance', 'Best practices', 'Incident response'],
      ],
      ['/license', ['MIT License', 'Commercial use']],
      ['/privacy', ['Privacy Policy', 'What is stored']],
      ['/terms', ['Terms of Service', 'Warranty and liability']],
    ];
    for (const [path, texts] of pages) {
      await page.goto(`${app.url}${path}`);
      for (const text of texts) await page.getByText(text, { exact: true }).first().waitFor();
    }
    await page.goto(`${app.url}/license`);
    await page.getByText(`Copyright (c) ${new Date().getFullYear()} `).waitFor();
    await page.goto(`${app.url}/about`);
    await page.getByRole('link', { name: 'Contact Sales' }).click();
    await page.getByRole('heading', { level: 1, name: 'Talk to us.' }).waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('[spec 2] FAQ: six questions, the first one open; the keyboard opens the others', async () => {
    const { page, context } = await app.openPage();
    await page.goto(`${app.url}/#faq`);
    await alive(page);
    const items = page.locator('#faq details');
    assert.equal(await items.count(), 6);
    assert.deepEqual(await items.evaluateAll((all) => all.map((item) => (item as HTMLDetailsElement).open)), [
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    await items.nth(1).locator('summary').press('Enter');
    await items.nth(1).and(page.locator('[open]')).waitFor();
    await context.close();
  });

  test('the pages say what is left open, and promise nothing that this instance does not keep', async () => {
    for (const [path, said, unsaid] of [
      ['/about', ['Every write recorded', 'that WooCommerce is booking'], ['Nothing silent', 'in the same second']],
      ['/pricing', ['So can a sale that WooCommerce is booking'], []],
      ['/', ['prefer one store, or be asked'], ['Nothing is overwritten']],
      ['/', ['WooCommerce may hold its webhooks for up to a minute'], ['A sale on one side reaches']],
      ['/contact', [], ['Response times', '24 hours', '12 hours', '4 hours', '1 hour']],
      ['/enterprise', ['after 50 months'], ['4.2 months', '7,200+', 'Savings']],
      ['/', ['matched by barcode, SKU or address'], []],
      ['/security', ['before every upgrade, and each night'], []],
      ['/enterprise', ['Backups each night and before every upgrade'], []],
      ['/license', ['Copyright (c) 2026 Twinshelf'], ['as it stands in the repository']],
    ] as const) {
      const html = (await (await fetch(`${app.url}${path}`)).text()).replaceAll('<!-- -->', '');
      for (const words of said) assert.ok(html.includes(words), `${path} does not say: ${words}`);
      for (const words of unsaid) assert.ok(!html.includes(words), `${path} says: ${words}`);
    }
  });

  test('no link of the public pages leads nowhere', async () => {
    const found = new Set<string>();
    for (const path of [
      '/',
      '/pricing',
      '/about',
      '/security',
      '/license',
      '/enterprise',
      '/privacy',
      '/terms',
      '/contact',
    ]) {
      const html = await (await fetch(`${app.url}${path}`)).text();
      for (const [, href] of html.matchAll(/href="(\/[^"]*)"/g)) if (href) found.add(href.replaceAll('&amp;', '&'));
    }
    const broken: string[] = [];
    for (const href of found) {
      const [path = '', id] = href.split('#');
      const answer = await fetch(`${app.url}${path}`);
      const text = await answer.text();
      if (!answer.ok) broken.push(`${href}: ${answer.status}`);
      else if (id && !text.includes(`id="${id}"`)) broken.push(`${href}: no such part`);
    }
    assert.deepEqual(broken, []);
  });

  test('[spec 2] any other path is the 404 page, with that status', async () => {
    const answer = await fetch(`${app.url}/no/such/page`);
    assert.equal(answer.status, 404);
    const { page, context, complaints } = await app.openPage({ excused: [404] });
    await page.goto(`${app.url}/no/such/page`);
    await page.getByRole('heading', { level: 1, name: 'Page Not Found' }).waitFor();
    const popular = page.getByRole('navigation', { name: 'Popular pages' });
    assert.deepEqual(await popular.getByRole('link').allInnerTexts(), [
      ...['Home', 'About', 'Contact', 'Dashboard Login', 'Privacy Policy', 'Terms of Service'],
    ]);
    await page.getByRole('link', { name: 'Contact Support' }).click();
    await page.getByRole('heading', { level: 1, name: 'Talk to us.' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Go Home' }).click();
    await page.getByRole('heading', { level: 1, name: /kept level/ }).waitFor();
    await titled(page, /^Twinshelf$/);
    assert.deepEqual(complaints, []);
    await context.close();
  });
});
