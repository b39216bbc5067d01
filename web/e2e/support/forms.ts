import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PASSWORD, type People, sendSignIn, signIn } from './people.ts';

/** What stands in the fields of a form, by their labels. */
export type Typed = Readonly<Record<string, string>>;

/** A form of the public site or of signing in, ready to be sent, and what has to come of that. */
export interface FormCase {
  readonly name: string;
  /** Comes to the form with an account, a link or a code of its own and fills it in. Returns what must not be lost. */
  readonly open: (page: Page, url: string, people: People) => Promise<Typed>;
  readonly button: string | RegExp;
  /** What it calls, under /api. */
  readonly path: string;
  /** The words beside the form when the server fails. */
  readonly failed: string;
  /** Its route has a limit of its own for each source. */
  readonly isLimited: boolean;
  /** What is there once the form was taken. */
  readonly taken: (page: Page) => Promise<unknown>;
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

async function fillIn(page: Page, typed: Typed): Promise<Typed> {
  for (const [label, text] of Object.entries(typed)) await page.getByLabel(label, { exact: true }).fill(text);
  return typed;
}

export async function expectTyped(page: Page, typed: Typed): Promise<void> {
  for (const [label, text] of Object.entries(typed))
    assert.equal(await page.getByLabel(label, { exact: true }).inputValue(), text, label);
}

let strangers = 0;

export const FORMS: readonly FormCase[] = [
  {
    name: 'login',
    open: async (page, url, people) => {
      const { email, password } = await people.person();
      await page.goto(`${url}/login`);
      return fillIn(page, { Email: email, Password: password });
    },
    button: 'Sign in',
    path: '/auth/login',
    failed: 'Login failed. Please check your credentials and try again.',
    isLimited: true,
    taken: (page) => heading(page, 'Overview'),
  },
  {
    name: 'the second factor',
    open: async (page, url, people) => {
      const person = await people.person();
      const [code = ''] = await people.withSecondFactor(person);
      await page.goto(`${url}/login`);
      await sendSignIn(page, person);
      await heading(page, 'Two-factor sign-in');
      return fillIn(page, { Code: ` ${code} ` });
    },
    button: 'Sign in',
    path: '/auth/login',
    failed: 'Login failed. Please check your credentials and try again.',
    isLimited: true,
    taken: (page) => heading(page, 'Overview'),
  },
  {
    name: 'sign-up',
    open: async (page, url) => {
      strangers += 1;
      await page.goto(`${url}/signup`);
      await fillIn(page, { 'First name': 'Ida', 'Last name': 'Berg', Email: `stranger-${strangers}@example.com` });
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel(/^I agree/).check();
      return fillIn(page, { Password: PASSWORD, 'Confirm password': PASSWORD });
    },
    button: 'Create Account',
    path: '/auth/signup',
    failed: 'Failed to create account. Please try again.',
    isLimited: true,
    taken: (page) => heading(page, 'Overview'),
  },
  {
    name: 'forgot password',
    open: async (page, url, people) => {
      const { email } = await people.person();
      await page.goto(`${url}/forgot-password`);
      return fillIn(page, { Email: email });
    },
    button: /^Send/,
    path: '/auth/forgot-password',
    failed: 'The link could not be asked for. Please try again.',
    isLimited: true,
    taken: (page) =>
      page.getByText(/^If there is an account with this address, its link waits in the outbox/).waitFor(),
  },
  {
    name: 'reset password',
    open: async (page, url, people) => {
      await page.goto(`${url}/`);
      await page.goto(await people.resetLink(await people.person()));
      return fillIn(page, { 'New password': 'Better-shelf-8', 'Confirm password': 'Better-shelf-8' });
    },
    button: 'Set the password',
    path: '/auth/reset-password',
    failed: 'Failed to change password. Please try again.',
    isLimited: true,
    taken: (page) => heading(page, 'Your password is changed'),
  },
  {
    name: 'contact',
    open: async (page, url) => {
      strangers += 1;
      await page.goto(`${url}/contact`);
      await page.getByLabel('Subject').selectOption('technical');
      return fillIn(page, {
        Name: 'Ida Berg',
        Email: 'ida@example.com',
        Message: `Two shelves, letter ${strangers}`,
      });
    },
    button: /^Send/,
    path: '/contact',
    failed: 'Sorry, there was an error sending your message. Please try again.',
    isLimited: true,
    taken: (page) => page.getByText("Thank you for your message! We'll get back to you.", { exact: true }).waitFor(),
  },
  {
    name: 'a new link to confirm the address',
    open: async (page, url, people) => {
      await signIn(page, url, await people.person());
      await page.goto(`${url}/verify-email`);
      return {};
    },
    button: 'Send a new link',
    path: '/auth/resend-verification',
    failed: 'The address could not be confirmed. Please try again.',
    isLimited: false,
    taken: (page) => page.getByText(/^A new link waits in the outbox\. /).waitFor(),
  },
  {
    name: 'accept an invitation',
    open: async (page, url, people) => {
      const person = await people.person();
      await signIn(page, url, person);
      await page.goto(await people.invitationFor(person.email));
      return {};
    },
    button: 'Accept the invitation',
    path: '/invitations/accept',
    failed: 'The invitation could not be accepted. Please try again.',
    isLimited: false,
    taken: (page) => heading(page, 'Overview'),
  },
  {
    name: 'the demo',
    open: async (page, url) => {
      await page.goto(`${url}/demo`);
      return {};
    },
    button: 'Open the demo',
    path: '/demo/session',
    failed: 'Failed to load demo data. Please try again.',
    isLimited: true,
    taken: (page) => heading(page, 'Demo shelves'),
  },
  {
    name: 'Quick Demo Access',
    open: async (page, url) => {
      await page.goto(`${url}/login`);
      return fillIn(page, { Email: 'ida@example.com' });
    },
    button: 'Quick Demo Access',
    path: '/demo/session',
    failed: 'Failed to load demo data. Please try again.',
    isLimited: true,
    taken: (page) => heading(page, 'Overview'),
  },
];
