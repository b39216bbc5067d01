import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { totpCode } from '../../src/accounts/totp.ts';
import { IN_BROWSER, startApp } from './support/app.ts';
import { audit } from './support/audit.ts';
import { callApi, openDemo } from './support/demo.ts';
import { newSource, PASSWORD, People, type Person, PROXY, sendSignIn, signIn } from './support/people.ts';
import { focused, focusedControl, titled, until } from './support/waits.ts';

const NEW_PASSWORD = 'Better-shelf-8';
/** The statuses that these tests provoke; the browser notes each in the console. */
const PROVOKED = [401, 403, 409, 422, 500];

/** A refusal as the server words it. */
function refusal(code: string, fields: readonly { readonly field: string; readonly message: string }[] = []) {
  return { error: { code, message: fields[0]?.message ?? code, details: { fields }, requestId: 'req_e2e' } };
}

describe('settings', IN_BROWSER, () => {
  const app = startApp({ TRUSTED_PROXIES: PROXY, SIGNUP: 'open' });
  const people = new People(app);
  before(() => people.owner());

  /** Runs with a page of somebody who is signed in and calls from an address of their own. */
  async function withPerson(check: (page: Page, person: Person) => Promise<void>): Promise<void> {
    const { page, context, complaints } = await app.openPage({ excused: PROVOKED });
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': newSource() });
    const person = await people.person();
    await signIn(page, app.url, person);
    await check(page, person);
    assert.deepEqual(complaints, []);
    await context.close();
  }

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const inDialog = (page: Page, name: string) =>
    page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click();
  const says = (page: Page, text: string | RegExp) => page.getByText(text, { exact: true }).first().waitFor();

  async function open(page: Page, tab: string): Promise<void> {
    await page.goto(`${app.url}/settings?tab=${tab}`);
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByRole('heading', { level: 2 }).first().waitFor();
  }

  /** What signing in answers: a status, and the code of a refusal. */
  async function login(email: string, password: string): Promise<string> {
    type Reply = { error?: { code: string } };
    const call = { body: { email, password }, source: newSource() };
    const { status, data } = await people.call<Reply>('POST', '/auth/login', call);
    return status === 200 ? 'in' : (data.error?.code ?? String(status));
  }

  test('the way there: rail, tabs by keyboard, titles; an unknown tab shows the first', async () => {
    await withPerson(async (page) => {
      await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
      await titled(page, /^Settings: Profile/);
      const tabs = page.getByRole('navigation', { name: 'Settings' });
      await tabs.getByRole('link', { name: 'Security' }).focus();
      await page.keyboard.press('Enter');
      await titled(page, /^Settings: Security/);
      assert.equal(new URL(page.url()).search, '?tab=security');
      await focused(tabs.getByRole('link', { name: 'Security' }));
      await page.goBack();
      await titled(page, /^Settings: Profile/);
      await open(page, 'nonsense');
      await page.getByRole('heading', { level: 2, name: 'Profile' }).waitFor();
    });
  });

  test('profile: edits survive a failed save, refusals stand at their field, and what is saved is there after a reload', async () => {
    await withPerson(async (page) => {
      await open(page, 'profile');
      const first = page.getByLabel('First name');
      await first.fill('');
      await press(page, 'Save changes');
      await says(page, 'First name is required');
      await focused(first);
      await first.fill('Eda');
      await page.getByLabel('Company').fill('Northfold');
      await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
      await page.getByLabel('Weekly report').check();
      // A look at another tab loses nothing.
      await page.getByRole('link', { name: 'Security' }).click();
      await page.getByRole('heading', { level: 2, name: 'Security' }).waitFor();
      await page.getByRole('link', { name: 'Profile' }).click();
      assert.equal(await first.inputValue(), 'Eda');

      await page.route('**/api/user/settings', (route) => route.fulfill({ status: 500, json: refusal('INTERNAL') }));
      await press(page, 'Save changes');
      await says(page, 'Failed to save settings. Please try again.');
      assert.equal(await first.inputValue(), 'Eda');
      await page.unroute('**/api/user/settings');
      const fields = [{ field: 'company', message: 'company: must have at most 100 characters' }];
      const refuse = { status: 422, json: refusal('VALIDATION', fields) };
      await page.route('**/api/user/settings', (route) => route.fulfill(refuse), { times: 1 });
      await press(page, 'Save changes');
      await says(page, 'Must have at most 100 characters.');
      await focusedControl(page, 'company');

      await page.keyboard.press('Enter');
      await says(page, 'Your settings are saved.');
      await page.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' });
      await page.reload();
      await page.getByRole('heading', { level: 2, name: 'Profile' }).waitFor();
      assert.equal(await first.inputValue(), 'Eda');
      assert.equal(await page.getByLabel('Company').inputValue(), 'Northfold');
      assert.equal(await page.getByLabel('Time zone').inputValue(), 'Asia/Tokyo');
      assert.ok(await page.getByLabel('Weekly report').isChecked());

      // Times are in that zone now: nine hours ahead, whatever the browser is set to.
      await open(page, 'security');
      const shown = await page
        .getByText(/^Signed in /)
        .first()
        .textContent();
      const hours = new Intl.DateTimeFormat('en', { timeZone: 'Asia/Tokyo', hour: '2-digit', hourCycle: 'h23' });
      const near = [0, 1].map((ago) => hours.format(Date.now() - ago * 3_600_000));
      assert.ok(
        near.some((hour) => shown?.includes(`, ${hour}:`)),
        shown ?? '',
      );

      await open(page, 'profile');
      await press(page, 'Reset settings');
      await says(page, 'Time zone: that of the browser, in place of Asia/Tokyo');
      await inDialog(page, 'Reset settings');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal(await page.getByLabel('Time zone').inputValue(), '');
      assert.equal(await first.inputValue(), 'Eda');
    });
  });

  test('email: another address is asked for with the password, and counts once its link was followed', async () => {
    await withPerson(async (page, { email, password }) => {
      await open(page, 'profile');
      await press(page, 'Change email');
      await focusedControl(page, 'email');
      await press(page, 'Send the link');
      await says(page, 'Email is required');
      await page.getByLabel('New email address').fill('owner@example.com');
      await press(page, 'Send the link');
      await says(page, 'An account with this email already exists.');
      const wanted = email.replace('person', 'moved');
      await page.getByLabel('New email address').fill(wanted);
      // As after ten minutes: the server asks who is there.
      const ask = { status: 403, json: refusal('PROOF_REQUIRED') };
      await page.route('**/api/user/settings', (route) => route.fulfill(ask), { times: 1 });
      await press(page, 'Send the link');
      await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('Wrong-shelf-1');
      await inDialog(page, 'Confirm');
      await says(page, 'This is not your current password.');
      await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(password);
      await inDialog(page, 'Confirm');
      const waiting = page.getByText(/^A link is on its way to/);
      await waiting.waitFor();
      await focused(page.getByRole('button', { name: 'Change email' }));
      await page.getByText('Not confirmed').waitFor();
      const tab = await page.context().newPage();
      await tab.goto(await people.mailedLink('verify_email', wanted));
      await tab.getByRole('heading', { level: 1, name: 'Your address is confirmed' }).waitFor();
      await tab.close();
      // Whatever brings the account anew tells this page of it.
      await page.getByLabel('Company').fill('Northfold');
      await press(page, 'Save changes');
      await page.getByText('Confirmed', { exact: true }).waitFor();
      await says(page, wanted);
      assert.equal(await waiting.count(), 0, 'nothing is waited for any more');
    });
  });

  test('password: words beside the fields; afterwards the old one opens nothing and the other device is signed out', async () => {
    await withPerson(async (page, { email, accessToken }) => {
      await open(page, 'security');
      await press(page, 'Change password');
      const fill = async (current: string, fresh: string, again: string): Promise<void> => {
        await page.getByLabel('Current password').fill(current);
        await page.getByLabel('New password').fill(fresh);
        await page.getByLabel('Confirm password').fill(again);
        await inDialog(page, 'Change password');
      };
      await fill(PASSWORD, 'Ab1-', 'Ab1-');
      await says(page, 'Password must be at least 8 characters long.');
      await fill(PASSWORD, NEW_PASSWORD, 'other');
      await says(page, 'Passwords do not match.');
      await focusedControl(page, 'confirmPassword');
      await fill(PASSWORD, PASSWORD, PASSWORD);
      await says(page, 'New password must be different from current password.');
      await fill('Wrong-shelf-1', NEW_PASSWORD, NEW_PASSWORD);
      await says(page, 'This is not your current password.');
      await focusedControl(page, 'currentPassword');
      await says(page, 'Password strength: Strong');
      await fill(PASSWORD, NEW_PASSWORD, NEW_PASSWORD);
      await says(page, 'Your password is changed. Every other device is signed out.');
      await focused(page.getByRole('button', { name: 'Change password' }));
      assert.equal(await login(email, PASSWORD), 'INVALID_CREDENTIALS');
      assert.equal(await login(email, NEW_PASSWORD), 'in');
      assert.equal((await people.call('GET', '/auth/me', { token: accessToken })).status, 401);
      await page.reload();
      await page.getByRole('heading', { level: 2, name: 'Security' }).waitFor();
    });
  });

  test('2FA: on with a real code, recovery codes once and nowhere kept, then off again', async () => {
    await withPerson(async (page, person) => {
      await open(page, 'security');
      const ask = { status: 403, json: refusal('PROOF_REQUIRED') };
      await page.route('**/two-factor/begin', (route) => route.fulfill(ask), { times: 1 });
      await press(page, 'Turn on');
      await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(person.password);
      await page.keyboard.press('Enter');
      await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
      const key = await page.getByRole('dialog').locator('code').textContent();
      const secret = (key ?? '').replaceAll(' ', '');
      const code = page.getByRole('dialog').getByLabel('Code', { exact: true });
      await code.fill('000000');
      await inDialog(page, 'Turn on');
      await says(page, 'This code is not right. Enter the present one, or a recovery code.');
      await focused(code);
      const right = totpCode(secret, Math.floor(Date.now() / 30_000));
      await code.fill(`${right.slice(0, 3)} ${right.slice(3)}`);
      await inDialog(page, 'Turn on');
      await focused(page.getByRole('heading', { name: 'Your recovery codes' }));
      const codes = await page.getByRole('region', { name: 'Your recovery codes' }).locator('code').allTextContents();
      assert.equal(codes.length, 10);
      const kept = await page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]),
      );
      for (const text of [secret, ...codes]) assert.ok(!kept.includes(text), 'kept in the browser');
      const [saved] = await Promise.all([page.waitForEvent('download'), press(page, 'Download')]);
      assert.equal(saved.suggestedFilename(), 'twinshelf-recovery-codes.txt');
      await press(page, 'I saved them');
      await focused(page.getByRole('button', { name: 'New recovery codes' }));
      assert.equal(await login(person.email, person.password), 'TWO_FACTOR_REQUIRED');

      await page.getByRole('button', { name: 'Logout' }).first().click();
      await sendSignIn(page, person);
      await page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '');
      await press(page, 'Sign in');
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      await open(page, 'security');
      await press(page, 'Turn off');
      await inDialog(page, 'Turn off');
      await says(page, 'Two-factor sign-in is off.');
      assert.equal(await login(person.email, person.password), 'in');
    });
  });

  test('devices: one is signed out, then all others; this one stays', async () => {
    await withPerson(async (page, { email, accessToken }) => {
      assert.equal(await login(email, PASSWORD), 'in');
      await open(page, 'security');
      const list = page.getByRole('list', { name: 'Signed-in devices' });
      await list.getByRole('listitem').nth(2).waitFor();
      await list.getByRole('listitem').first().getByText('This device').waitFor();
      await list
        .getByRole('button', { name: /^Sign out / })
        .first()
        .click();
      await until('One device fewer', async () =>
        (await list.getByRole('listitem').count()) === 2 ? true : undefined,
      );
      await focused(list);
      await press(page, 'Sign out of all other devices');
      await page.route('**/sessions/end-others', (route) => route.fulfill({ status: 500, json: refusal('INTERNAL') }), {
        times: 1,
      });
      await inDialog(page, 'Sign out of all other devices');
      await says(page, 'Failed to sign out of other devices. Please try again.');
      await inDialog(page, 'Sign out of all other devices');
      await says(page, '1 other device is signed out.');
      await until('Only this one', async () => ((await list.getByRole('listitem').count()) === 1 ? true : undefined));
      assert.equal((await people.call('GET', '/auth/me', { token: accessToken })).status, 401);
      await page.reload();
      await list.getByText('This device').waitFor();
    });
  });

  test('what is loading has its place, and what failed can be asked for again', async () => {
    await withPerson(async (page) => {
      await page.route('**/api/auth/sessions', () => undefined);
      await open(page, 'security');
      await page.getByRole('status', { name: 'Loading' }).waitFor();
      await page.unroute('**/api/auth/sessions');
      await page.route('**/api/auth/sessions', (route) => route.fulfill({ status: 422, json: refusal('INTERNAL') }));
      await page.reload();
      await says(page, 'The devices could not be read.');
      await page.getByRole('button', { name: 'Change password' }).waitFor();
      await page.unroute('**/api/auth/sessions');
      await press(page, 'Try Again');
      await page.getByText('This device').waitFor();
    });
  });

  test('danger: the data is saved as a file; the workspace and then the account go, after their names were typed', async () => {
    await withPerson(async (page, { email, password }) => {
      await open(page, 'danger');
      const [saved] = await Promise.all([page.waitForEvent('download'), press(page, 'Export my data')]);
      assert.equal(saved.suggestedFilename(), 'twinshelf-account.json');
      const leave = page.getByRole('button', { name: /^Leave / });
      assert.ok(await leave.isDisabled());
      await says(page, 'Nobody else belongs to it: nobody would be left. Delete it instead.');

      // With another one to go on in, nobody is signed out.
      await callApi(page, 'POST', '/workspaces', { name: 'Second' });
      await page.reload();
      await press(page, 'Delete My workspace');
      await page.getByLabel('To delete it, type My workspace').fill('my workspace');
      await inDialog(page, 'Delete My workspace');
      await says(page, 'Type the name of the workspace: My workspace');
      await page.getByLabel('To delete it, type My workspace').fill('My workspace');
      await inDialog(page, 'Delete My workspace');
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      await says(page, 'My workspace is deleted.');
      await page.getByRole('banner').getByText('Second', { exact: true }).waitFor();

      await open(page, 'danger');
      await press(page, 'Delete Second');
      await page.getByLabel('To delete it, type Second').fill('Second');
      await inDialog(page, 'Delete Second');
      await page.getByRole('heading', { level: 1, name: /^Sign in/ }).waitFor();
      await signIn(page, app.url, { email, password, accessToken: '' });

      await open(page, 'danger');
      await press(page, 'Delete my account');
      await inDialog(page, 'Delete my account');
      await says(page, `Type your email address: ${email}`);
      await says(page, 'Password is required');
      await page.getByLabel(`To confirm, type ${email}`).fill(email);
      await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('Wrong-shelf-1');
      await inDialog(page, 'Delete my account');
      await says(page, 'This is not your current password.');
      await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(password);
      await inDialog(page, 'Delete my account');
      await says(page, 'Your account is deleted.');
      await page.getByRole('heading', { level: 1, name: /^Sign in/ }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/login');
      assert.equal(await login(email, password), 'INVALID_CREDENTIALS');
    });
  });

  test('a demo says that it has no account, and asks for nothing that it may not have', async () => {
    const { page, context, complaints } = await app.openPage();
    await openDemo(page, app.url);
    for (const tab of ['profile', 'security', 'danger']) {
      await open(page, tab);
      await page.getByText('A demo has no account').waitFor();
      await page.waitForLoadState('networkidle');
    }
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('every tab and dialog, both themes, two widths: axe finds nothing and nothing scrolls sideways', async () => {
    await withPerson(async (page, { email }) => {
      await login(email, PASSWORD);
      const found: string[] = [];
      const look = async (name: string, tab: string, button?: string): Promise<void> => {
        await page.setViewportSize({ width: 1440, height: 900 });
        await open(page, tab);
        await page.waitForLoadState('networkidle').catch(() => undefined);
        if (button) await press(page, button);
        found.push(...(await audit(page, name)));
      };
      for (const tab of ['profile', 'security', 'api', 'team', 'audit', 'danger']) await look(tab, tab);
      await look('edited profile', 'profile');
      await page.getByLabel('Emails about your stores').uncheck();
      found.push(...(await audit(page, 'edited profile')));
      await look('change email', 'profile', 'Change email');
      await look('change password', 'security', 'Change password');
      await look('turn on', 'security', 'Turn on');
      await look('delete account', 'danger', 'Delete my account');
      assert.deepEqual(found, []);
    });
  });
});
