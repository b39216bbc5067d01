import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { IN_BROWSER, startApp } from './support/app.ts';
import { bay, callApi, openDemo } from './support/demo.ts';
import { expectTyped, type Typed } from './support/forms.ts';
import { newSource, PASSWORD, People, PROXY } from './support/people.ts';
import { focused, focusedControl } from './support/waits.ts';

/** What is typed, what is said about it next to the field, and which field has the focus then. */
type Row = readonly [typed: Typed, says: string, focus: string];

const EMOJI = '\u{1F4DA}\u{1F469}\u200d\u{1F33E}';
const ARABIC = 'مرحبا';
const HEBREW = 'שלום';
/** As copied out of a right-to-left text. */
const marked = (text: string) => `\u202b ${text}\u200f \u202c`;
const long = (length: number) => 'x'.repeat(length);

/** What is typed into each form: nothing, too much, copied text with spaces and marks, emoji, letters from right to left. */
describe('what people type', IN_BROWSER, () => {
  const app = startApp({ TRUSTED_PROXIES: PROXY, SIGNUP: 'open' });
  const people = new People(app);
  before(() => people.owner());

  async function withPage(check: (page: Page) => Promise<void>): Promise<void> {
    const { page, context, complaints } = await app.openPage({ excused: [401, 409, 422] });
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': newSource() });
    await check(page);
    const unexpected = complaints.filter((text) => !text.includes('ERR_FAILED'));
    assert.deepEqual(unexpected, []);
    await context.close();
  }

  const sees = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  async function type(page: Page, typed: Typed): Promise<void> {
    for (const [label, text] of Object.entries(typed)) await page.getByLabel(label, { exact: true }).fill(text);
  }

  /** Each row in its turn on the same form: the words come, the focus goes to the field, and what was typed is still there. */
  async function refuses(page: Page, button: string, rows: readonly Row[]): Promise<void> {
    for (const [typed, says, focus] of rows) {
      await type(page, typed);
      await press(page, button);
      await page.getByText(says, { exact: true }).waitFor();
      await focusedControl(page, focus);
      await expectTyped(page, typed);
      const describedBy = await page.evaluate(() => document.activeElement?.getAttribute('aria-describedby') ?? '');
      assert.equal(await page.locator(`[id="${describedBy}"]`).innerText(), says);
    }
  }

  test('[spec 5] login', () =>
    withPage(async (page) => {
      const { email, password } = await people.person();
      await page.goto(`${app.url}/login`);
      const required = 'Please fill in all fields';
      await refuses(page, 'Sign in', [
        [{ Email: '', Password: '' }, required, 'email'],
        [{ Email: '\u200f', Password: 'x' }, required, 'email'],
        [{ Email: email, Password: '' }, required, 'password'],
        [{ Email: long(1_001), Password: 'x' }, 'Must have at most 1000 characters.', 'email'],
        [{ Email: email, Password: long(1_001) }, 'Must have at most 1000 characters.', 'password'],
      ]);
      for (const typed of [
        { Email: `${EMOJI}@example.com`, Password: EMOJI },
        { Email: `${ARABIC}@example.com`, Password: HEBREW },
        // A space that belongs to a password is part of it.
        { Email: email, Password: `${password} ` },
      ]) {
        await type(page, typed);
        await press(page, 'Sign in');
        await page.getByRole('alert').getByText('Invalid email or password.', { exact: true }).waitFor();
        await focusedControl(page, 'password');
        await expectTyped(page, typed);
      }
      await type(page, { Email: marked(email.toUpperCase()), Password: password });
      await press(page, 'Sign in');
      await sees(page, 'Overview');
    }));

  test('the second factor', () =>
    withPage(async (page) => {
      const person = await people.person();
      const [code = ''] = await people.withSecondFactor(person);
      await page.goto(`${app.url}/login`);
      await type(page, { Email: person.email, Password: person.password });
      await press(page, 'Sign in');
      await sees(page, 'Two-factor sign-in');
      const wrong = 'This code is not right. Enter the present one, or a recovery code.';
      await refuses(page, 'Sign in', [
        [{ Code: '' }, 'Enter the code', 'code'],
        [{ Code: ' \u200f ' }, 'Enter the code', 'code'],
        [{ Code: '000 000' }, wrong, 'code'],
        [{ Code: EMOJI }, wrong, 'code'],
        [{ Code: ARABIC }, wrong, 'code'],
        [{ Code: long(65) }, 'Must have at most 64 characters.', 'code'],
      ]);
      await type(page, { Code: marked(code.replace(/(.{4})/, '$1 ')) });
      await press(page, 'Sign in');
      await sees(page, 'Overview');
    }));

  test('[spec 5, 8] sign-up: both steps, and an address that is taken', () =>
    withPage(async (page) => {
      const taken = await people.person();
      await page.goto(`${app.url}/signup`);
      const good = { 'First name': `${ARABIC} ${EMOJI}`, 'Last name': HEBREW, Email: 'rtl@example.com' };
      const tooLong = (what: string) => `${what} must be at most 100 characters long`;
      await refuses(page, 'Continue', [
        [{ ...good, 'First name': '   ' }, 'First name is required', 'firstName'],
        [{ ...good, 'First name': long(101) }, tooLong('First name'), 'firstName'],
        [{ ...good, 'Last name': '' }, 'Last name is required', 'lastName'],
        [{ ...good, 'Last name': long(101) }, tooLong('Last name'), 'lastName'],
        [{ ...good, Email: '' }, 'Email is required', 'email'],
        [{ ...good, Email: EMOJI }, 'Please enter a valid email address', 'email'],
        [{ ...good, Email: `${long(250)}@example.com` }, 'Please enter a valid email address', 'email'],
        [{ ...good, 'Company optional': long(101) }, tooLong('Company'), 'company'],
      ]);
      await type(page, { ...good, Email: taken.email, 'Company optional': '' });
      await press(page, 'Continue');
      const weak = 'Password is too weak. Include uppercase, lowercase, numbers, and symbols.';
      const twice = (password: string) => ({ Password: password, 'Confirm password': password });
      await refuses(page, 'Create Account', [
        [twice(''), 'Password is required', 'password'],
        [twice('Ab1!'), 'Password must be at least 8 characters long', 'password'],
        [twice(ARABIC.repeat(2)), weak, 'password'],
        [twice(`Aa1!${long(253)}`), 'Password must be at most 256 characters long', 'password'],
        [{ ...twice(PASSWORD), 'Confirm password': '' }, 'Please confirm your password', 'confirmPassword'],
        [{ ...twice(PASSWORD), 'Confirm password': `${PASSWORD} ` }, 'Passwords do not match', 'confirmPassword'],
        [twice(PASSWORD), 'You must agree to the Terms of Service and Privacy Policy', 'agreeToTerms'],
      ]);
      const password = ` ${EMOJI} ${ARABIC} 7a `;
      await type(page, twice(password));
      await page.getByLabel(/^I agree/).check();
      await press(page, 'Create Account');
      // The server's own refusal leads back to the step of its field; the other step keeps what it has.
      await page.getByText('An account with this email already exists.', { exact: true }).waitFor();
      await focusedControl(page, 'email');
      await expectTyped(page, { ...good, Email: taken.email });
      await type(page, { Email: marked(good.Email) });
      await page.getByText('An account with this email already exists.').waitFor({ state: 'detached' });
      await press(page, 'Continue');
      await expectTyped(page, twice(password));
      assert.equal(await page.getByLabel(/^I agree/).isChecked(), true);
      await press(page, 'Create Account');
      await sees(page, 'Overview');
      const { user } = await callApi<{ user: { firstName: string; email: string } }>(page, 'GET', '/auth/me');
      assert.deepEqual([user.firstName, user.email], [good['First name'], good.Email]);
    }));

  test('forgot password', () =>
    withPage(async (page) => {
      await page.goto(`${app.url}/forgot-password`);
      const shape = 'Please enter a valid email address';
      await refuses(page, 'Send the link', [
        [{ Email: '' }, 'Email is required', 'email'],
        [{ Email: '\u200f' }, 'Email is required', 'email'],
        [{ Email: EMOJI }, shape, 'email'],
        [{ Email: `${ARABIC} ${HEBREW}` }, shape, 'email'],
        [{ Email: `${long(250)}@example.com` }, shape, 'email'],
      ]);
      const { email } = await people.person();
      await type(page, { Email: marked(email) });
      await press(page, 'Send the link');
      await page.getByText(/^If there is an account with this address, its link waits in the outbox/).waitFor();
      assert.match(await people.mailedLink('reset_password', email), /\/reset-password#token=/);
      // The answer was about the other address.
      await type(page, { Email: 'somebody.else@example.com' });
      await page.getByText(/^If there is an account/).waitFor({ state: 'detached' });
    }));

  test('reset password: what is set is what was typed, to the last space', () =>
    withPage(async (page) => {
      const person = await people.person();
      await page.goto(await people.resetLink(person));
      const twice = (password: string) => ({ 'New password': password, 'Confirm password': password });
      await refuses(page, 'Set the password', [
        [twice(''), 'Password is required', 'password'],
        [twice('        '), 'Password is too weak. Include uppercase, lowercase, numbers, and symbols.', 'password'],
        [twice(`Aa1!${long(253)}`), 'Password must be at most 256 characters long', 'password'],
        [{ ...twice(PASSWORD), 'Confirm password': '' }, 'Please confirm your password', 'confirmPassword'],
        [{ ...twice(PASSWORD), 'Confirm password': EMOJI }, 'Passwords do not match', 'confirmPassword'],
      ]);
      const password = ` ${HEBREW} ${EMOJI} aA1 `;
      await type(page, twice(password));
      await press(page, 'Set the password');
      await sees(page, 'Your password is changed');
      await page.getByRole('link', { name: 'Sign in' }).click();
      await type(page, { Email: person.email, Password: password });
      await press(page, 'Sign in');
      await sees(page, 'Overview');
    }));

  test('reset password: a link that was cut on its way is called what it is', () =>
    withPage(async (page) => {
      for (const token of ['rst_cut', long(200)]) {
        await page.goto(`${app.url}/about`);
        await page.goto(`${app.url}/reset-password#token=${token}`);
        await type(page, { 'New password': PASSWORD, 'Confirm password': PASSWORD });
        await press(page, 'Set the password');
        await sees(page, 'This link is not valid any more');
      }
    }));

  test('[spec 5] contact', () =>
    withPage(async (page) => {
      await page.goto(`${app.url}/contact`);
      const good = { Name: `${HEBREW} ${EMOJI}`, Email: 'ida@example.com', Message: ARABIC };
      const shape = 'Please enter a valid email address';
      await page.getByLabel('Subject').selectOption('other');
      await refuses(page, 'Send Message', [
        [{ ...good, Name: '  ' }, 'Name is required', 'name'],
        [{ ...good, Name: long(101) }, 'Name can have 100 characters at most', 'name'],
        [{ ...good, Email: '' }, 'Email is required', 'email'],
        [{ ...good, Email: EMOJI }, shape, 'email'],
        // Only the server knows that this is no address.
        [{ ...good, Email: 'ida@example..com' }, shape, 'email'],
        [{ ...good, Message: '\n' }, 'Message is required', 'message'],
        [{ ...good, Message: long(5_001) }, 'Message can have 5000 characters at most', 'message'],
      ]);
      await type(page, { ...good, Email: marked(good.Email) });
      await press(page, 'Send Message');
      await page.getByText(/^Thank you for your message!/).waitFor();
    }));

  test('the demo’s edit of a product', () =>
    withPage(async (page) => {
      await openDemo(page, app.url);
      await bay(page, 'shopify', 'TOWEL-2').getByRole('button', { name: /^Edit/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Edit on Shopify' });
      const amount = 'This is not an amount. Write it like 18.00.';
      for (const [label, text, says] of [
        ['Title', ' ', 'The title is empty. Give the product a name.'],
        ['Title', long(121), 'The title has 121 characters; the shelf holds 120.'],
        ['Price', '', amount],
        ['Price', EMOJI, amount],
        ['Price', '-5', amount],
        ['Price', '999999999', 'The shelf holds prices up to 100,000.'],
      ] as const) {
        const field = dialog.getByLabel(label);
        const before = await field.inputValue();
        await field.fill(text);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.getByText(says, { exact: true }).waitFor();
        assert.equal(await field.inputValue(), text);
        await focused(field);
        await field.fill(before);
      }
      const title = `${ARABIC} ${EMOJI}`;
      await dialog.getByLabel('Title').fill(`  ${title} `);
      await page.route('**/api/demo/actions', (route) => route.abort());
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog
        .getByRole('alert')
        .getByText(/^No answer from the server/)
        .waitFor();
      assert.equal(await dialog.getByLabel('Title').inputValue(), `  ${title} `);
      await page.unroute('**/api/demo/actions');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await bay(page, 'woocommerce', 'TOWEL-2').getByText(title, { exact: true }).waitFor();
    }));
});
