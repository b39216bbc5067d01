import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { IN_BROWSER, startApp } from './support/app.ts';
import { audit } from './support/audit.ts';
import { sendSignIn } from './support/people.ts';

const OWNER = { firstName: 'Ida', lastName: 'Berg', email: 'ida@example.com', password: 'Good-shelf-7' };
const UNHEARD = /^The server did not hear that you signed out/;
const HEARD = 'The server has heard that you signed out: your session is over.';

/** A server that is not reached keeps the session open, and the cookie that script can not remove stays good for it. */
describe('signing out', IN_BROWSER, () => {
  const app = startApp({ DEMO: 'off' });
  const fate = { isReached: false, told: 0 };
  before(async () => {
    await fetch(`${app.url}/api/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...OWNER, confirmPassword: OWNER.password, agreeToTerms: true }),
    });
  });

  const seesOverview = (page: Page) => page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

  async function open() {
    const opened = await app.openPage({ excused: [401, 503] });
    const { page } = opened;
    await page.route('**/api/auth/logout', (route) => {
      fate.told += 1;
      return fate.isReached ? route.continue() : route.fulfill({ status: 503, body: '' });
    });
    fate.isReached = false;
    await page.goto(`${app.url}/login`);
    await sendSignIn(page, OWNER);
    await seesOverview(page);
    return opened;
  }

  const signOut = (page: Page) => page.getByRole('button', { name: 'Logout' }).first().click();
  const seesSignIn = (page: Page) => page.getByRole('heading', { level: 1, name: /^Sign in/ }).waitFor();

  const refresh = (page: Page) =>
    page.evaluate(async () => {
      const answer = await fetch('/api/auth/refresh', {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
      });
      return answer.status;
    });

  test('a sign-out that the server did not hear is told, is repeated, and opens no way back in', async () => {
    const { page, context, complaints } = await open();
    await signOut(page);
    await seesSignIn(page);
    await page.getByText(UNHEARD).waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem('accessToken')), null);
    assert.deepEqual(await audit(page, 'a sign-out that was not heard'), []);

    await page.goto(`${app.url}/login?signedIn=true`);
    await page.getByText(/^This sign-in was not begun in this tab/).waitFor();
    await page.getByText(UNHEARD).waitFor();

    fate.isReached = true;
    await page.getByRole('button', { name: 'Sign out again' }).click();
    await page.getByText(HEARD).waitFor();
    assert.equal(await refresh(page), 401);
    await page.reload();
    await seesSignIn(page);
    assert.equal(await page.getByText(UNHEARD).count(), 0);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('it is repeated by itself once there is a connection', async () => {
    const { page, context } = await open();
    await signOut(page);
    await page.getByText(UNHEARD).waitFor();
    await context.setOffline(true);
    fate.isReached = true;
    await context.setOffline(false);
    await page.getByText(HEARD).waitFor();
    await context.close();
  });

  test('whoever signs in instead is not signed out by it', async () => {
    const { page, context } = await open();
    await signOut(page);
    await page.getByText(UNHEARD).waitFor();
    await sendSignIn(page, OWNER);
    await seesOverview(page);
    const { told } = fate;
    fate.isReached = true;
    await page.reload();
    await seesOverview(page);
    assert.equal(await refresh(page), 200);
    assert.equal(fate.told, told);
    await context.close();
  });
});
