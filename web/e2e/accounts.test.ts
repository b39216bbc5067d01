import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { totpCode } from '../../src/accounts/totp.ts';
import { IN_BROWSER, startApp } from './support/app.ts';
import type { OpenPage } from './support/browser.ts';
import { callApi } from './support/demo.ts';
import { sendSignIn } from './support/people.ts';
import { focusedControl, until } from './support/waits.ts';

const PASSWORD = 'Good-shelf-7';
const NEW_PASSWORD = 'Better-shelf-8';

/** One person's way through every mailed link and the second factor, on a real server whose emails wait in its outbox. */
describe('accounts', IN_BROWSER, () => {
  const app = startApp({ DEMO: 'off' });
  let owner: OpenPage;
  before(async () => {
    owner = await app.openPage({ excused: [401, 403, 422] });
  });

  async function fillSignUp(page: Page, firstName: string): Promise<void> {
    await page.getByLabel('First name').fill(firstName);
    await page.getByLabel('Last name').fill('Berg');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm password').fill(PASSWORD);
    await page.getByLabel(/^I agree/).check();
    await page.getByRole('button', { name: 'Create Account' }).click();
  }

  const sees = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

  /** The link of the newest email of a kind, as the owner reads it in the outbox. */
  async function mailedLink(kind: string, password = PASSWORD): Promise<string> {
    const { page } = owner;
    await callApi(page, 'POST', '/auth/prove', { password });
    return until(`An email of kind ${kind}`, async () => {
      const { mails } = await callApi<{ mails: { _id: string; kind: string }[] }>(page, 'GET', '/instance/outbox');
      const found = mails.find((mail) => mail.kind === kind);
      if (!found) return undefined;
      const { text } = await callApi<{ text: string }>(page, 'GET', `/instance/outbox/${found._id}`);
      const [link] = /https?:\/\/\S+#token=\S+/.exec(text) ?? [];
      assert.ok(link, text);
      return link;
    });
  }

  test('verify: the mailed link confirms the address once, and leaves no secret in the address bar', async () => {
    const { page } = owner;
    await page.goto(`${app.url}/signup`);
    await page.getByLabel('Email').fill('ida@example.com');
    await fillSignUp(page, 'Ida');
    await sees(page, 'Overview');
    const link = await mailedLink('verify_email');
    await page.goto(link);
    await sees(page, 'Your address is confirmed');
    assert.equal(page.url(), `${app.url}/verify-email`);
    const { page: other, context } = await app.openPage({ excused: [422] });
    await other.goto(link);
    await sees(other, 'This link is not valid any more');
    await context.close();
  });

  test('accept-invite: a colleague without an account signs up by it and lands in the workspace', async () => {
    await callApi(owner.page, 'POST', '/workspace/invitations', { email: 'olaf@example.com', role: 'viewer' });
    const link = await mailedLink('invitation');
    const { page, context, complaints } = await app.openPage();
    await page.goto(link);
    await sees(page, /^Join /);
    await page.getByText(/Ida Berg invites olaf@example.com as a viewer/).waitFor();
    await page.getByRole('link', { name: 'Create an account to accept' }).click();
    assert.equal(await page.getByLabel('Email').inputValue(), 'olaf@example.com');
    await fillSignUp(page, 'Olaf');
    await sees(page, 'Overview');
    const { user } = await callApi<{ user: { workspace: { role: string } } }>(page, 'GET', '/auth/me');
    assert.equal(user.workspace.role, 'viewer');
    assert.deepEqual(complaints, []);
    await page.goto(`${app.url}/accept-invite`);
    await sees(page, 'This invitation is not valid any more');
    await context.close();
  });

  test('forgot and reset: the same answer for everybody; weak passwords get their words; the link works once', async () => {
    const { page, context } = await app.openPage({ excused: [422] });
    await page.goto(`${app.url}/login`);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('Email is required', { exact: true }).waitFor();
    for (const email of ['nobody@example.com', ' ida@example.com ']) {
      await page.getByLabel('Email').fill(email);
      await page.getByRole('button', { name: /^Send/ }).click();
      await page.getByText(/^If there is an account with this address, its link waits in the outbox/).waitFor();
    }
    const link = await mailedLink('reset_password');
    await page.goto(link);
    await sees(page, 'Set a new password');
    const submit = () => page.getByRole('button', { name: 'Set the password' }).click();
    await submit();
    await page.getByText('Password is required', { exact: true }).waitFor();
    await page.getByLabel('New password').fill('onlysmall');
    await page.getByText('Password strength: Weak', { exact: true }).waitFor();
    await submit();
    await page
      .getByText('Password is too weak. Include uppercase, lowercase, numbers, and symbols.', { exact: true })
      .waitFor();
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByLabel('Confirm password').fill('other');
    await submit();
    await page.getByText('Passwords do not match', { exact: true }).waitFor();
    await focusedControl(page, 'confirmPassword');
    await page.getByLabel('Confirm password').fill(NEW_PASSWORD);
    await submit();
    await sees(page, 'Your password is changed');
    await page.goto(link);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByLabel('Confirm password').fill(NEW_PASSWORD);
    await submit();
    await sees(page, 'This link is not valid any more');
    await page.getByRole('link', { name: 'Ask for a new link' }).click();
    await sees(page, 'Forgot your password?');
    await context.close();
  });

  test('[spec 8] the session that the reset ended leads to /login; the new password opens it again', async () => {
    const { page } = owner;
    await page.goto(`${app.url}/records`);
    await page.getByText('Session expired. Please log in again.', { exact: true }).waitFor();
    await sendSignIn(page, { email: 'ida@example.com', password: NEW_PASSWORD });
    await sees(page, 'Records');
  });

  test('a closed sign-up says how to get in, and shows no form that would be refused', async () => {
    const { page, context } = await app.openPage({});
    await page.goto(`${app.url}/signup`);
    await page.getByText('This instance does not take new accounts. Ask its owner for an invitation.').waitFor();
    assert.equal(await page.locator('form').count(), 0);
    await page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true }).click();
    await sees(page, /^Sign in/);
    // Nor does a page that anybody may read lead there.
    for (const path of ['/', '/pricing', '/about']) {
      await page.goto(`${app.url}${path}`);
      const main = page.getByRole('main');
      await main.getByRole('link', { name: 'Login', exact: true }).first().waitFor();
      assert.equal(await main.locator('a[href="/signup"]').count(), 0, path);
    }
    await context.close();
  });

  test('2FA: after the password a code is asked for; a wrong one is told beside its field; the right one opens', async () => {
    const { page } = owner;
    await callApi(page, 'POST', '/auth/prove', { password: NEW_PASSWORD });
    const { secret } = await callApi<{ secret: string }>(page, 'POST', '/auth/two-factor/begin', {});
    const code = (offset = 0) => totpCode(secret, Math.floor(Date.now() / 30_000) + offset);
    const { recoveryCodes } = await callApi<{ recoveryCodes: string[] }>(page, 'POST', '/auth/two-factor/enable', {
      code: code(),
    });
    await page.getByRole('button', { name: 'Logout' }).first().click();
    await sees(page, /^Sign in/);
    await sendSignIn(page, { email: 'ida@example.com', password: NEW_PASSWORD });
    await sees(page, 'Two-factor sign-in');
    const field = page.getByLabel('Code');
    assert.equal(await field.getAttribute('autocomplete'), 'one-time-code');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Enter the code', { exact: true }).waitFor();
    await field.fill('000 000');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(/^This code is not right/).waitFor();
    await focusedControl(page, 'code');
    await page.getByRole('button', { name: 'Back' }).click();
    assert.equal(await page.getByLabel('Email').inputValue(), 'ida@example.com');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    // The code that turned it on is spent; a recovery code does not depend on the clock.
    await field.fill(` ${recoveryCodes[0]} `);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await sees(page, 'Overview');
    assert.deepEqual(owner.complaints, []);
  });
});
