import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IN_BROWSER, startApp } from './support/app.ts';
import { focusedControl, framesDrawn } from './support/waits.ts';

describe('public pages', IN_BROWSER, () => {
  const app = startApp();

  test('[spec 2] a page of the account area leads to /login and back to where one wanted to go', async () => {
    const { page, context, complaints } = await app.openPage();
    await page.goto(`${app.url}/conflicts?state=closed`);
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('next'), '/conflicts?state=closed');
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('[spec 2] login leads to everything that somebody without an account may want', async () => {
    const { page, context } = await app.openPage();
    await page.goto(`${app.url}/login`);
    for (const [name, path] of [
      ['Forgot password?', '/forgot-password'],
      ['Create an account', '/signup'],
      ['See the demo first', '/demo'],
      ['Pricing', '/pricing'],
      ['Terms of Service', '/terms'],
      ['Privacy Policy', '/privacy'],
    ] as const)
      assert.equal(await page.getByRole('link', { name }).getAttribute('href'), path, name);
    assert.equal(await page.getByLabel('Remember me for 30 days').isChecked(), false);
    await context.close();
  });

  test('[spec 2] verified=true says so', async () => {
    const { page, context } = await app.openPage();
    await page.goto(`${app.url}/login?verified=true`);
    await page.getByText('Email verified successfully! Please sign in.', { exact: true }).waitFor();
    await context.close();
  });

  test('[spec 5] login wants both fields, and the first empty one has the focus', async () => {
    const { page, context } = await app.openPage();
    await page.goto(`${app.url}/login`);
    for (const label of ['Email', 'Password'])
      assert.equal(await page.getByLabel(label, { exact: true }).getAttribute('required'), '', label);
    await page.getByLabel('Email').fill('ida@example.com');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Please fill in all fields', { exact: true }).waitFor();
    await focusedControl(page, 'password');
    await context.close();
  });

  test('[spec 8] a wrong password is told inline, and what was typed stays', async () => {
    const { page, context } = await app.openPage({ excused: [401] });
    await page.goto(`${app.url}/login`);
    await page.getByLabel('Email').fill('nobody@example.com');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    assert.equal(await page.getByLabel('Email').inputValue(), 'nobody@example.com');
    await context.close();
  });

  test('[spec 2, 5] sign-up: each step checks its fields in the specification’s words; the account is real', async () => {
    const { page, context, complaints } = await app.openPage();
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const sees = (text: string) => page.getByText(text, { exact: true }).waitFor();
    const gone = (text: string) => page.getByText(text, { exact: true }).waitFor({ state: 'detached' });
    await page.goto(`${app.url}/signup`);
    const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
    await steps.first().waitFor();
    assert.deepEqual(
      (await steps.allInnerTexts()).map((text) => text.replace(/\W|\d/g, '')),
      ['Account', 'Security'],
    );
    await press('Continue');
    for (const text of ['First name is required', 'Last name is required', 'Email is required']) await sees(text);
    await focusedControl(page, 'firstName');
    await page.getByLabel('First name').fill('Ida');
    await gone('First name is required');
    await page.getByLabel('Last name').fill('Berg');
    await page.getByLabel('Email').fill('ida(at)example.com');
    await press('Continue');
    await sees('Please enter a valid email address');
    await page.getByLabel('Email').fill(' ida@example.com ');
    await press('Continue');

    assert.equal(await page.getByLabel('Send me news about the product').isChecked(), true);
    await press('Create Account');
    for (const text of [
      'Password is required',
      'Please confirm your password',
      'You must agree to the Terms of Service and Privacy Policy',
    ])
      await sees(text);
    const password = page.getByLabel('Password', { exact: true });
    await password.fill('short');
    await press('Create Account');
    await sees('Password must be at least 8 characters long');
    await password.fill('onlysmall');
    await press('Create Account');
    await sees('Password is too weak. Include uppercase, lowercase, numbers, and symbols.');
    await sees('Password strength: Weak');
    await password.fill('Good-shelf-7');
    await sees('Password strength: Strong');
    await page.getByLabel('Confirm password').fill('other');
    await press('Create Account');
    await sees('Passwords do not match');
    await page.getByLabel('Confirm password').fill('Good-shelf-7');
    await page.getByLabel(/^I agree/).check();
    await press('Back');
    assert.equal(await page.getByLabel('First name').inputValue(), 'Ida');
    await press('Continue');
    await password.waitFor();
    await page.goBack();
    assert.equal(await page.getByLabel('First name').inputValue(), 'Ida');
    await press('Continue');
    assert.equal(await password.inputValue(), 'Good-shelf-7');
    // The browser goes back in its own time: who is quicker than it stays where they went.
    await page.evaluate(async () => {
      const isBack = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
      [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Back')?.click();
      await null;
      document.querySelector<HTMLElement>('form button[type=submit]')?.click();
      await isBack;
    });
    await framesDrawn(page);
    assert.equal(await password.inputValue(), 'Good-shelf-7');
    await press('Create Account');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.getByText('Put two stores on the same shelf').waitFor();

    await page.evaluate(() => localStorage.setItem('hasSeenOnboarding', 'true'));
    await page.getByRole('button', { name: 'Logout' }).first().click();
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor();
    assert.deepEqual(
      await page.evaluate(() =>
        ['accessToken', 'refreshToken', 'user', 'hasSeenOnboarding'].map((key) => localStorage.getItem(key)),
      ),
      [null, null, null, null],
    );
    await page.getByLabel('Email').fill('ida@example.com');
    await page.getByLabel('Password', { exact: true }).fill('Good-shelf-7');
    await page.getByLabel('Remember me for 30 days').check();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.goto(`${app.url}/login`);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('[spec 2] Quick Demo Access leads to /dashboard of a demo workspace', async () => {
    const { page, context, complaints } = await app.openPage();
    await page.goto(`${app.url}/login`);
    await page.getByRole('button', { name: 'Quick Demo Access' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/dashboard');
    assert.match((await page.evaluate(() => localStorage.getItem('accessToken'))) ?? '', /^mock_/);
    assert.deepEqual(complaints, []);
    await context.close();
  });
});
