import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { IN_BROWSER, startApp } from './support/app.ts';
import { focusedControl } from './support/waits.ts';

const SENT = "Thank you for your message! We'll get back to you.";
const FAILED = 'Sorry, there was an error sending your message. Please try again.';

describe('contact', IN_BROWSER, () => {
  const app = startApp();

  async function fill(page: Page, message: string): Promise<void> {
    await page.getByLabel('Name').fill('  Ida Berg ');
    await page.getByLabel('Email').fill(' ida@example.com ');
    await page.getByLabel('Subject').selectOption('technical');
    await page.getByLabel('Message').fill(message);
  }

  const send = (page: Page) => page.getByRole('button', { name: 'Send Message' }).click();

  test('[spec 5] the form: a topic to choose, six rows, a placeholder; empty and wrong fields get their words and the focus', async () => {
    const { page, context, complaints } = await app.openPage();
    await page.goto(`${app.url}/contact`);
    const message = page.getByLabel('Message');
    assert.equal(await message.getAttribute('rows'), '6');
    assert.equal(await message.getAttribute('placeholder'), 'Tell us how we can help you...');
    assert.deepEqual(await page.getByLabel('Subject').locator('option').allInnerTexts(), [
      ...['Select a topic', 'General', 'Technical', 'Enterprise', 'Billing', 'Partnership', 'Other'],
    ]);
    await send(page);
    for (const text of ['Name is required', 'Email is required', 'Please select a topic', 'Message is required'])
      await page.getByText(text, { exact: true }).waitFor();
    await focusedControl(page, 'name');
    await fill(page, 'x'.repeat(5_001));
    await page.getByLabel('Email').fill('ida(at)example.com');
    await send(page);
    await page.getByText('Please enter a valid email address', { exact: true }).waitFor();
    await page.getByText('Message can have 5000 characters at most', { exact: true }).waitFor();
    await focusedControl(page, 'email');
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('who types before the script has come loses nothing, and nothing typed gets into the address', async () => {
    const { page, context, complaints } = await app.openPage();
    const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
    await page.route(/\/assets\/(?!theme-first).*\.js$/, async (route) => {
      await mayGo;
      await route.continue();
    });
    await page.goto(`${app.url}/contact`, { waitUntil: 'commit' });
    await fill(page, 'Quicker than the script');
    await page.getByLabel('Name').press('Enter');
    const button = page.getByRole('button', { name: 'Send Message' });
    assert.equal(await button.isDisabled(), true);
    go();
    await send(page);
    await page.getByText(SENT, { exact: true }).waitFor();
    assert.equal(page.url(), `${app.url}/contact`);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('[spec 4, 8] idle, sending, success: a message of emoji and right-to-left letters is stored once, though sent twice', async () => {
    const { page, context, complaints } = await app.openPage();
    await page.goto(`${app.url}/contact`);
    await fill(page, 'Two shelves \u{1F4DA} مرحبا');
    let calls = 0;
    const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
    await page.route('**/api/contact', async (route) => {
      calls += 1;
      await mayGo;
      await route.continue();
    });
    await send(page);
    const sending = page.getByRole('button', { name: 'Sending...', exact: true });
    await sending.waitFor();
    assert.equal(await sending.isDisabled(), true);
    await page.getByLabel('Name').press('Enter');
    go();
    await page.getByText(SENT, { exact: true }).waitFor();
    assert.equal(calls, 1);
    for (const label of ['Name', 'Email', 'Subject', 'Message'])
      assert.equal(await page.getByLabel(label).inputValue(), '', label);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('[spec 8] failure: the words beside the form, nothing typed is lost, and the next try works', async () => {
    const { page, context } = await app.openPage({ excused: [422] });
    await page.goto(`${app.url}/contact`);
    await fill(page, 'A letter that has to arrive');
    const refuse = async (status: number, code: string, message: string, details = {}): Promise<void> => {
      await page.route('**/api/contact', (route) =>
        route.fulfill({ status, json: { error: { code, message, details, requestId: 'req_1' } } }),
      );
      await send(page);
    };
    const keeps = async (): Promise<void> =>
      assert.equal(await page.getByLabel('Message').inputValue(), 'A letter that has to arrive');

    const fields = [{ field: 'email', message: 'This mailbox does not exist' }];
    await refuse(422, 'VALIDATION', 'This mailbox does not exist', { fields });
    await page.getByText('This mailbox does not exist', { exact: true }).waitFor();
    await focusedControl(page, 'email');
    await keeps();
    await page.unroute('**/api/contact');
    await context.setOffline(true);
    await send(page);
    await page.getByText(new RegExp(`^${FAILED} No answer from the server`)).waitFor();
    await keeps();
    await page.reload().catch(() => undefined);
    await context.setOffline(false);
    await page.goto(`${app.url}/contact`);
    await page.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>('textarea')?.value === 'A letter that has to arrive',
    );
    await send(page);
    await page.getByText(SENT, { exact: true }).waitFor();
    await context.close();
  });

  test('[spec 1] a letter about Enterprise arrives with its topic and its subject', async () => {
    const { page, context } = await app.openPage();
    await page.goto(`${app.url}/enterprise`);
    await page.getByRole('link', { name: 'Ask about Enterprise' }).click();
    await page.waitForFunction(
      () =>
        document.querySelector<HTMLTextAreaElement>('textarea')?.value.startsWith('Enterprise License Purchase') ===
        true,
    );
    assert.equal(await page.getByLabel('Subject').inputValue(), 'enterprise');
    await context.close();
  });
});
