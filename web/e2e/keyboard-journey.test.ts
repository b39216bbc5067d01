import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { IN_BROWSER, startApp } from './support/app.ts';
import { alive, focused } from './support/waits.ts';

type Role = Parameters<Page['getByRole']>[0];

/** More presses of Tab than any page has stops. */
const STOPS_MAX = 80;

/**
 * A person without a mouse and without a screen: only keys are pressed, and everything is found by its role and its name, as the
 * accessibility tree has it.
 */
describe('by keyboard and accessibility tree alone', IN_BROWSER, () => {
  const app = startApp();
  let page: Page;
  before(async () => {
    ({ page } = await app.openPage());
  });

  const press = (key: string) => page.keyboard.press(key);

  /** Tab, until what has this role and name has the focus; it has to be visible then. */
  async function tabTo(role: Role, name: string | RegExp): Promise<void> {
    const wanted = page.getByRole(role, { name, exact: typeof name === 'string' }).first();
    await wanted.waitFor();
    for (let stop = 0; stop < STOPS_MAX; stop += 1) {
      await press('Tab');
      if (await wanted.evaluate((element) => element === document.activeElement)) {
        assert.equal(await wanted.evaluate((element) => element.matches(':focus-visible')), true, String(name));
        return;
      }
    }
    throw new Error(`Tab never reaches the ${role} ${String(name)}`);
  }

  async function typeInto(name: string, text: string): Promise<void> {
    await tabTo('textbox', name);
    await page.keyboard.type(text);
  }

  const arrives = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

  test('from the landing page to an account, with a mistake on the way', async () => {
    await page.goto(app.url);
    await alive(page);
    await tabTo('link', 'Get Started');
    await press('Enter');
    await arrives('Create an account');
    await tabTo('textbox', 'First name');
    await press('Enter');
    // The focus is on the first field that is wrong, and its description says why.
    const firstName = page.getByRole('textbox', { name: 'First name', description: 'First name is required' });
    await focused(firstName);
    await page.keyboard.type('Ida');
    await typeInto('Last name', 'Berg');
    await typeInto('Email', 'ida@example.com');
    await press('Enter');
    await typeInto('Password', 'Good-shelf-7');
    await page.getByText('Password strength: Strong').waitFor();
    await tabTo('button', 'Show password');
    await press('Space');
    await tabTo('textbox', 'Confirm password');
    await page.keyboard.type('Good-shelf-7');
    await tabTo('checkbox', /^I agree to the Terms of Service/);
    await press('Space');
    await tabTo('button', 'Create Account');
    await press('Enter');
    await arrives('Overview');
  });

  test('signing out and in again', async () => {
    await tabTo('button', 'Logout');
    await press('Enter');
    await arrives(/^Sign in/);
    await typeInto('Email', 'ida@example.com');
    await typeInto('Password', 'not this one');
    await press('Enter');
    await page.getByRole('alert').getByText('Invalid email or password.').waitFor();
    // The password is selected: typing replaces it.
    await page.waitForFunction(() => {
      const field = document.activeElement;
      if (!(field instanceof HTMLInputElement) || field.name !== 'password') return false;
      return field.selectionStart === 0 && field.selectionEnd === field.value.length;
    });
    await page.keyboard.type('Good-shelf-7');
    await tabTo('checkbox', 'Remember me for 30 days');
    await press('Space');
    await page.getByRole('checkbox', { name: 'Remember me for 30 days', checked: true }).waitFor();
    await tabTo('button', 'Sign in');
    await press('Space');
    await arrives('Overview');
    await tabTo('button', 'Logout');
    await press('Space');
    await arrives(/^Sign in/);
  });

  test('prices, both tabs by arrow; a question; a letter', async () => {
    await tabTo('link', 'Pricing');
    await press('Enter');
    await arrives('Pay for orders, not for products.');
    await tabTo('radio', 'Cloud');
    await press('ArrowRight');
    await page.getByRole('heading', { level: 2, name: 'Self-hosted' }).waitFor();
    await page.getByRole('radio', { name: 'Self-hosted', checked: true }).waitFor();
    await page.goto(`${app.url}/terms`);
    await arrives('Terms of Service');
    await alive(page);
    await press('Tab');
    await focused(page.getByRole('link', { name: 'Skip to content' }));
    await press('Enter');
    await focused(page.locator('#main'));
    await tabTo('link', 'Contact');
    await press('Space');
    await arrives('Talk to us.');
    await typeInto('Name', 'Ida Berg');
    await typeInto('Email', 'ida@example.com');
    await tabTo('combobox', 'Subject');
    await page.keyboard.type('Tech');
    await typeInto('Message', 'By keyboard alone.');
    await tabTo('button', 'Send Message');
    await press('Enter');
    await page
      .getByRole('alert')
      .getByText(/^Thank you for your message!/)
      .waitFor();
  });

  test('the tree of each page of the way: landmarks with names, one h1, no control without a name', async () => {
    for (const path of ['/', '/login', '/signup', '/contact', '/forgot-password', '/demo']) {
      await page.goto(`${app.url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const tree = await page.locator('body').ariaSnapshot();
      assert.match(tree, /- main/, path);
      assert.equal(tree.match(/- heading .*\[level=1\]/g)?.length, 1, path);
      const nameless = tree.match(/^\s*- (?:button|link|textbox|checkbox|radio|combobox|navigation)(?::|$)/gm) ?? [];
      assert.deepEqual(nameless, [], path);
    }
  });
});
