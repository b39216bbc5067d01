import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IN_BROWSER, startApp } from './support/app.ts';
import { audit } from './support/audit.ts';
import { alive, focused } from './support/waits.ts';

const PAGES = [
  ...['/', '/pricing', '/about', '/security', '/license', '/enterprise', '/privacy', '/terms', '/contact'],
  ...[
    '/login?verified=true',
    '/signup',
    '/forgot-password',
    '/reset-password?token=x',
    '/verify-email',
    '/accept-invite',
  ],
  ...['/demo', '/no/such/page'],
];

describe('accessibility outside', IN_BROWSER, () => {
  const app = startApp();

  test('every public page, both themes, two widths: axe finds nothing, nothing scrolls sideways, the console is silent', async () => {
    const { page, context, complaints } = await app.openPage({ excused: [400, 404, 422] });
    const found: string[] = [];
    for (const path of PAGES) {
      await page.goto(`${app.url}${path}`);
      await alive(page);
      found.push(...(await audit(page, path)));
    }
    assert.deepEqual(found, []);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('with the menu open, with all questions open, with every field refused', async () => {
    const { page, context, complaints } = await app.openPage({ width: 360, height: 780 });
    const found: string[] = [];
    await page.goto(`${app.url}/`);
    await alive(page);
    const menu = page.getByRole('navigation', { name: 'Site menu' });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await menu.waitFor();
    found.push(...(await audit(page, 'menu', [360])));
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    for (const question of await page.locator('summary').all()) await question.click();
    found.push(...(await audit(page, 'questions', [360])));
    await page.goto(`${app.url}/contact`);
    await page.getByRole('button', { name: 'Send Message' }).click();
    await page.getByText('Message is required', { exact: true }).waitFor();
    found.push(...(await audit(page, 'contact refused')));
    await page.goto(`${app.url}/signup`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Email is required', { exact: true }).waitFor();
    found.push(...(await audit(page, 'sign-up refused', [360])));
    assert.deepEqual(found, []);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('the accessibility tree alone is enough: one h1, named landmarks, a skip link first', async () => {
    const { page, context } = await app.openPage();
    for (const path of ['/', '/contact', '/login']) {
      await page.goto(`${app.url}${path}`);
      await alive(page);
      assert.equal(await page.locator('h1').count(), 1, path);
      assert.equal(await page.getByRole('main').count(), 1, path);
      await page.keyboard.press('Tab');
      await focused(page.getByRole('link', { name: 'Skip to content' }));
      await page.keyboard.press('Enter');
      await focused(page.locator('#main'));
    }
    await context.close();
  });
});
