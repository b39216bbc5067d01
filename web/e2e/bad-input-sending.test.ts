import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Locator, Page, Request } from 'playwright-core';
import { IN_BROWSER, startApp } from './support/app.ts';
import { expectTyped, FORMS, type FormCase, type Typed } from './support/forms.ts';
import { newSource, People, PROXY, sendSignIn, signIn } from './support/people.ts';
import { comeBackLater, framesDrawn } from './support/waits.ts';

/** The statuses that these tests provoke; the browser notes each in the console. */
const PROVOKED = [401, 409, 422, 429, 500];

/** What every form does when sending it goes wrong: the same for all of them. */
describe('sending goes wrong', IN_BROWSER, () => {
  const app = startApp({ TRUSTED_PROXIES: PROXY, SIGNUP: 'open' });
  const people = new People(app);
  before(() => people.owner());

  /** Runs with a page that calls from an address of its own. */
  async function withPage(check: (page: Page, source: string) => Promise<void>): Promise<void> {
    const source = newSource();
    const { page, context, complaints } = await app.openPage({ excused: PROVOKED });
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': source });
    await check(page, source);
    const unexpected = complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'));
    assert.deepEqual(unexpected, []);
    await context.close();
  }

  function buttonOf(page: Page, { button }: FormCase) {
    return page.getByRole('button', { name: button, exact: typeof button === 'string' });
  }

  async function openForm(page: Page, form: FormCase): Promise<Typed> {
    const typed = await form.open(page, app.url, people);
    await buttonOf(page, form).waitFor();
    // Nothing is on its way any more: what follows is about the form alone.
    await page.waitForLoadState('networkidle');
    return typed;
  }

  for (const form of FORMS) {
    const call = `**/api${form.path}`;

    test(`${form.name}: offline, a server that fails, the limit: nothing is lost; then, sent twice, it is one request`, () =>
      withPage(async (page, source) => {
        const typed = await openForm(page, form);
        const button = buttonOf(page, form);

        await page.context().setOffline(true);
        await button.click();
        await page.getByText(/No answer from the server\. Check your connection, then try again\./).waitFor();
        await expectTyped(page, typed);
        await page.context().setOffline(false);

        const error = { code: 'INTERNAL', message: 'What went wrong inside', details: {}, requestId: 'req_1' };
        await page.route(call, (route) => route.fulfill({ status: 500, json: { error } }));
        await button.click();
        await page.getByText(form.failed, { exact: true }).waitFor();
        assert.equal(await page.getByText(error.message).count(), 0);
        await expectTyped(page, typed);
        await page.unroute(call);

        if (form.isLimited) {
          const wornOut = newSource();
          await people.exhaust(form.path, wornOut);
          await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': wornOut });
          await button.click();
          await page.getByText(/^Too many requests\. Wait ([\d.]+ s|1 min), then try again\.$/).waitFor();
          await expectTyped(page, typed);
          await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': source });
        }

        await expectOneRequest(page, call, button);
        await form.taken(page);
      }));
  }

  /** Pressed twice before anything can be drawn, and sent once more while that is under way. */
  async function expectOneRequest(page: Page, call: string, button: Locator): Promise<void> {
    let calls = 0;
    const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
    await page.route(call, async (route) => {
      calls += 1;
      await mayGo;
      await route.continue();
    });
    const asked = page.waitForRequest(call);
    await button.evaluate((element: HTMLElement) => {
      element.click();
      element.click();
    });
    await asked;
    await framesDrawn(page);
    await page.evaluate(() => document.querySelector('form')?.requestSubmit());
    await framesDrawn(page);
    // What one page asks for is asked in turn: another call would have come before this one has its answer.
    await page.evaluate(() => fetch('/api/health').then((answer) => answer.text()));
    assert.equal(calls, 1);
    go();
  }

  test('login: after five wrong passwords the wait is told in seconds, once', () =>
    withPage(async (page) => {
      const { email } = await people.person();
      await page.goto(`${app.url}/login`);
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill('not this one');
      const send = page.getByRole('button', { name: 'Sign in', exact: true });
      const press = async (): Promise<number> => {
        const [answer] = await Promise.all([page.waitForResponse('**/api/auth/login'), send.click()]);
        await page.locator('button[data-busy]').waitFor({ state: 'detached' });
        return answer.status();
      };
      for (let wrong = 0; wrong < 5; wrong += 1) assert.equal(await press(), 401);
      // The first wait is two seconds. Should they be over before the next press, the next wait is twice as long.
      for (let late = 0; late < 3 && (await press()) === 401; late += 1);
      await page.getByText(/^Too many attempts\. Try again in \d seconds\.$/).waitFor();
      await expectTyped(page, { Email: email, Password: 'not this one' });
    }));

  test('a new link to confirm the address: five an hour, and the sixth is told why not', () =>
    withPage(async (page) => {
      const person = await people.person();
      await signIn(page, app.url, person);
      await page.goto(`${app.url}/verify-email`);
      const send = page.getByRole('button', { name: 'Send a new link' });
      for (let mails = 1; mails < 5; mails += 1) {
        const call = { token: person.accessToken, body: {} };
        assert.equal((await people.call('POST', '/auth/resend-verification', call)).status, 200);
      }
      await send.click();
      await page.getByText(/^Several messages are on their way already\. .* try again in an hour\.$/).waitFor();
    }));

  test('a new link for an address that was confirmed meanwhile: told so', () =>
    withPage(async (page) => {
      const person = await people.person();
      await signIn(page, app.url, person);
      await page.goto(`${app.url}/verify-email`);
      const link = await people.mailedLink('verify_email', person.email);
      const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token');
      await people.call('POST', '/auth/verify-email', { body: { token } });
      await page.getByRole('button', { name: 'Send a new link' }).click();
      await page.getByText('This email address is verified already.', { exact: true }).waitFor();
    }));

  test('links at the limit of their route are not called stale, and work later', () =>
    withPage(async (page, source) => {
      const { email } = await people.person();
      const links = [
        { path: '/invitations/preview', href: await people.invitationFor(email), comes: /^Join / },
        { path: '/auth/verify-email', href: await people.mailedLink('verify_email', email), comes: /^Sign in/ },
      ];
      for (const { path, href, comes } of links) {
        await page.goto(`${app.url}/about`);
        await people.exhaust(path, source);
        await page.goto(href);
        await page.getByRole('heading', { level: 1, name: 'That did not work' }).waitFor();
        await page.getByText(/^Too many requests\. Wait /).waitFor();
        await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': newSource() });
        await page.getByRole('button', { name: 'Try Again' }).click();
        await page.getByRole('heading', { level: 1, name: comes }).waitFor();
        await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': source });
      }
    }));

  test('an invitation that can not be read again, since the line is bad, is accepted all the same', () =>
    withPage(async (page) => {
      const person = await people.person();
      await signIn(page, app.url, person);
      await page.goto(await people.invitationFor(person.email));
      const accept = page.getByRole('button', { name: 'Accept the invitation' });
      await accept.waitFor();
      const preview = '**/api/invitations/preview';
      await page.route(preview, (route) => route.abort('internetdisconnected'));
      const isPreview = (request: Request) => request.url().endsWith('/invitations/preview');
      await Promise.all([page.waitForEvent('requestfailed', isPreview), comeBackLater(page)]);
      await framesDrawn(page);
      await accept.click();
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    }));

  test('[spec 8] the session ends in the middle of an invitation: a new one goes on where the old one was', () =>
    withPage(async (page) => {
      const person = await people.person();
      await signIn(page, app.url, person);
      await page.goto(await people.invitationFor(person.email));
      await page.getByRole('button', { name: 'Accept the invitation' }).waitFor();
      await people.endSession(page);
      await page.getByRole('button', { name: 'Accept the invitation' }).click();
      await page.getByRole('link', { name: 'Sign in to accept' }).click();
      await page.getByText('Session expired. Please log in again.', { exact: true }).waitFor();
      await sendSignIn(page, person);
      await page.getByRole('button', { name: 'Accept the invitation' }).click();
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    }));

  test('[spec 8] the session ends before a new link is asked for: a new one comes back to it', () =>
    withPage(async (page) => {
      const person = await people.person();
      await signIn(page, app.url, person);
      await page.goto(`${app.url}/verify-email`);
      await people.endSession(page);
      await page.getByRole('button', { name: 'Send a new link' }).click();
      await page.getByRole('link', { name: 'Sign in for a new link' }).click();
      await page.getByText('Session expired. Please log in again.', { exact: true }).waitFor();
      await sendSignIn(page, person);
      await page.getByRole('button', { name: 'Send a new link' }).click();
      await page.getByText(/^A new link waits in the outbox\. /).waitFor();
    }));

  test('a letter of somebody whose session ended meanwhile is taken all the same', () =>
    withPage(async (page) => {
      await signIn(page, app.url, await people.person());
      const form = FORMS.find(({ name }) => name === 'contact');
      assert.ok(form);
      await openForm(page, form);
      await people.endSession(page);
      await buttonOf(page, form).click();
      await form.taken(page);
    }));
});
