import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { IN_BROWSER, startApp } from './support/app.ts';
import { audit } from './support/audit.ts';
import type { OpenPage } from './support/browser.ts';
import { callApi, openDemo } from './support/demo.ts';
import { PASSWORD, People, signIn } from './support/people.ts';
import { comeBackLater, focused, until } from './support/waits.ts';

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Who programs are, who belongs to the workspace, and who did what: on a real server without a mail server. */
describe('settings: API & Integrations, Team, Audit log', IN_BROWSER, () => {
  const app = startApp({ ALLOW_LOCAL_STORES: 'true', SIGNUP: 'invite' });
  const people = new People(app);
  let owner: OpenPage;
  let receiver: Server;
  let hooks: string;
  const received: Delivery[] = [];
  before(async () => {
    receiver = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    owner = await app.openPage({ excused: [403, 422, 500] });
    await signIn(owner.page, app.url, await people.owner());
  });
  after(() => void receiver?.close());

  async function openTab(page: Page, tab: 'api' | 'team' | 'audit'): Promise<void> {
    await page.goto(`${app.url}/settings?tab=${tab}`);
    const names = { api: 'API & Integrations', team: 'Team', audit: 'Audit log' } as const;
    await page.getByRole('heading', { level: 2, name: names[tab] }).waitFor();
  }

  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const isRead = (route: Route): boolean => route.request().method() === 'GET';
  const statusOf = async (secret: string): Promise<number> =>
    (await people.call('GET', '/stores', { token: secret })).status;

  test('a token: asked for a name, created, used, regenerated, revoked and refused; the secret is nowhere but on the page', async () => {
    const { page } = owner;
    await openTab(page, 'api');
    await button(page, 'Create a token').click();
    const sheet = page.getByRole('dialog', { name: 'Create an API token' });
    await focused(sheet.getByLabel('Name'));
    await page.keyboard.press('Enter');
    await sheet.getByText(/^Say what the token is for/).waitFor();
    await focused(sheet.getByLabel('Name'));
    await page.keyboard.type('Nightly report');
    await sheet.getByRole('radio', { name: 'Operate' }).check();
    await sheet.getByLabel('Good for').selectOption('other');
    await sheet.getByLabel('Days').fill('soon');
    await page.keyboard.press('Enter');
    await sheet.getByText(/^Write a whole number of days/).waitFor();
    await sheet.getByLabel('Days').fill('14');

    // What was typed survives a server that fails.
    const call = '**/api/workspace/tokens';
    const error = { code: 'INTERNAL', message: 'What went wrong inside', details: {}, requestId: 'req_1' };
    await page.route(call, (route) =>
      isRead(route) ? route.continue() : route.fulfill({ status: 500, json: { error } }),
    );
    await page.keyboard.press('Enter');
    await sheet.getByText('Failed to create API key. Please try again.', { exact: true }).waitFor();
    assert.equal(await sheet.getByLabel('Name').inputValue(), 'Nightly report');
    await page.unroute(call);

    // The server wants to know once more who is there: the form stays, and is sent by itself after the right answer.
    let asked = 0;
    await page.route(call, (route) => {
      // The list is read whenever the live channel comes to stand.
      if (isRead(route)) return route.continue();
      asked += 1;
      if (asked > 1) return route.continue();
      const proof = { code: 'PROOF_REQUIRED', message: 'Confirm.', details: {}, requestId: 'req_2' };
      return route.fulfill({ status: 403, json: { error: proof } });
    });
    await button(page, 'Create the token').click();
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    const field = page.getByLabel('Token', { exact: true });
    await field.waitFor();
    await page.unroute(call);
    await focused(field);
    const secret = await field.inputValue();
    assert.match(secret, /^ts_/);
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]));
    assert.ok(!kept.includes(secret));
    assert.equal(await statusOf(secret), 200);

    // Leaving without having copied it takes two tries.
    await page.keyboard.press('Escape');
    await page.getByText(/^It has not been copied yet/).waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await focused(button(page, 'Create a token'));
    assert.ok(!(await page.content()).includes(secret));

    const row = page.getByRole('row', { name: /Nightly report/ });
    await row.getByText('Operate').waitFor();
    await button(page, 'Regenerate Nightly report').click();
    await button(page, 'Regenerate the token').click();
    const second = await field.inputValue();
    await button(page, 'I saved it').click();
    assert.equal(await statusOf(secret), 401);
    assert.equal(await statusOf(second), 200);

    await button(page, 'Revoke Nightly report').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke Nightly report' }).click();
    await page.getByText('Nightly report is revoked.').waitFor();
    await row.waitFor({ state: 'detached' });
    assert.equal(await statusOf(second), 401);
  });

  test('an endpoint: refused address at its field, added, tested, signed, shown; paused, edited, deleted', async () => {
    const { page } = owner;
    await openTab(page, 'api');
    await button(page, 'Add an endpoint').click();
    const sheet = page.getByRole('dialog', { name: 'Add an endpoint' });
    await sheet.getByLabel('Address').fill('ftp://example.com');
    await sheet.getByLabel('Name').fill('Warehouse');
    await button(page, 'Add the endpoint').click();
    const address = sheet.getByLabel('Address');
    await focused(address);
    await sheet.locator('[aria-invalid=true]').waitFor();
    assert.equal(await sheet.getByLabel('Name').inputValue(), 'Warehouse');
    await address.fill(`${hooks}/in`);
    await sheet.getByRole('radio', { name: 'Some kinds of event' }).press('Space');
    await button(page, 'Add the endpoint').click();
    await sheet.getByText(/^Choose one kind of event/).waitFor();
    await sheet.getByRole('checkbox', { name: /run\.failed/ }).check();
    await button(page, 'Add the endpoint').click();
    const secret = await page.getByLabel('Signing secret').inputValue();
    await button(page, 'I saved it').click();

    const row = page.getByRole('list', { name: 'Webhook endpoints' }).getByRole('listitem');
    await row.getByText('Nothing was sent yet.').waitFor();
    await button(page, 'Send a test to Warehouse').click();
    const { headers, body } = await until('The test arrives', async () => received[0]);
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const expected = createHmac('sha256', key).update(signed).digest('base64');
    assert.equal(headers['webhook-signature'], `v1,${expected}`);
    await row.getByText(/delivered\. HTTP 200 in/).waitFor();

    await button(page, 'Open Warehouse').click();
    const detail = page.getByRole('dialog', { name: 'Warehouse' });
    const delivery = detail.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
    await delivery.locator('summary').press('Enter');
    await delivery.getByText('This is a test. Nothing has happened.').waitFor();
    assert.match(page.url(), /endpoint=/);
    await delivery.getByRole('button', { name: 'Send again' }).click();
    const again = await until('It is sent again', async () => received[1]);
    assert.equal(again.headers['webhook-id'], headers['webhook-id']);
    await detail.getByRole('button', { name: 'Failed', exact: true }).click();
    await detail.getByText('No failed delivery').waitFor();
    await detail.getByRole('button', { name: 'Clear filters' }).click();

    await detail.getByRole('button', { name: 'New secret' }).click();
    await button(page, 'Make a new secret').click();
    assert.notEqual(await page.getByLabel('Signing secret').inputValue(), secret);
    await button(page, 'I saved it').click();
    await focused(detail.getByRole('button', { name: 'New secret' }));

    await detail.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit Warehouse' });
    await edit.getByLabel('Name').fill('Till');
    // A colleague changes something else meanwhile, and the page looks again.
    const path = `/webhook-endpoints/${new URL(page.url()).searchParams.get('endpoint')}`;
    await callApi(page, 'PATCH', path, { events: ['run.failed', 'pair.halted'] });
    await Promise.all([page.waitForResponse('**/api/webhook-endpoints'), comeBackLater(page)]);
    await button(page, 'Save the endpoint').click();
    const till = page.getByRole('dialog', { name: 'Till' });
    await till.getByText('run.failed, pair.halted').waitFor();
    await till.getByRole('button', { name: 'Pause Till' }).click();
    await till.getByText('Paused', { exact: true }).waitFor();
    const test = till.getByRole('button', { name: 'Send a test to Till' });
    assert.equal(await test.getAttribute('aria-disabled'), 'true');
    await till.getByRole('button', { name: 'Delete' }).click();
    await button(page, 'Delete Till').click();
    await page.getByText('Till is deleted.').waitFor();
    await page.getByText('Nobody is called yet').waitFor();
  });

  test('alerts: what is chosen survives a server that fails, and is there after it was saved', async () => {
    const { page } = owner;
    await openTab(page, 'api');
    await page.getByText(/^This instance has no mail server: alerts wait/).waitFor();
    const usage = page.getByRole('group', { name: 'A limit of usage comes near or is passed' });
    await usage.getByRole('radio', { name: 'Off' }).press('Space');
    await page.getByRole('checkbox', { name: 'Quiet hours' }).check();
    await page.getByLabel('Quiet from').fill('');
    const save = button(page, 'Save the alerts');
    await save.click();
    await page.getByText('Enter a time of day.').waitFor();
    await page.getByLabel('Quiet from').fill('21:30');
    const tabs = page.getByRole('navigation', { name: 'Settings' });
    await tabs.getByRole('link', { name: 'Team' }).click();
    await page.getByRole('heading', { level: 2, name: 'Team' }).waitFor();
    await tabs.getByRole('link', { name: 'API & Integrations' }).click();
    const error = { code: 'INTERNAL', message: 'What went wrong inside', details: {}, requestId: 'req_1' };
    await page.route('**/api/alerts', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 500, json: { error } }) : route.continue(),
    );
    await save.click();
    await page.getByText('Failed to save settings. Please try again.').waitFor();
    assert.equal(await page.getByLabel('Quiet from').inputValue(), '21:30');
    await page.unroute('**/api/alerts');
    await save.click();
    await page.getByText(/^The alerts are saved/).waitFor();
    await page.reload();
    assert.equal(await page.getByLabel('Quiet from').inputValue(), '21:30');
    assert.equal(await usage.getByRole('radio', { name: 'Off' }).isChecked(), true);
  });

  test('an invitation: its link handed over, accepted in another browser, the role changed, the member removed', async () => {
    const { page } = owner;
    await openTab(page, 'team');
    await page
      .getByText(/^A workspace keeps an owner/)
      .first()
      .waitFor();
    await button(page, 'Invite somebody').click();
    const invite = page.getByRole('dialog', { name: 'Invite somebody' });
    await invite.getByLabel('Email').fill('olaf');
    await page.keyboard.press('Enter');
    await invite.getByText('Please enter a valid email address', { exact: true }).waitFor();
    await invite.getByLabel('Email').fill('olaf@example.com');
    await invite.getByRole('radio', { name: 'Viewer' }).check();
    await page.keyboard.press('Enter');
    // The server wants to know who is there: the window with the invitation stays open behind that.
    const ask = { status: 403, json: { error: { code: 'PROOF_REQUIRED', message: '', details: {}, requestId: '' } } };
    await page.route('**/api/instance/outbox/*', (route) => route.fulfill(ask), { times: 1 });
    await button(page, 'Show the link').click();
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: 'Link for olaf@example.com' });
    await field.waitFor();
    const link = await field.inputValue();
    await button(page, 'Done').click();
    await focused(button(page, 'Invite somebody'));
    const pending = page.getByRole('list', { name: 'Pending invitations' }).getByRole('listitem');
    await pending.getByText('olaf@example.com').waitFor();

    const guest = await app.openPage({ excused: [401, 403] });
    await guest.page.goto(link);
    await guest.page.getByRole('link', { name: 'Create an account to accept' }).click();
    await guest.page.getByLabel('First name').fill('Olaf');
    await guest.page.getByLabel('Last name').fill('Lie');
    await button(guest.page, 'Continue').click();
    await guest.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await guest.page.getByLabel('Confirm password').fill(PASSWORD);
    await guest.page.getByLabel(/^I agree/).check();
    await button(guest.page, 'Create Account').click();
    await guest.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    // A viewer sees what there is, and who could help with the rest.
    await openTab(guest.page, 'team');
    await guest.page.getByText('Administrators look after the team. Ask Ida Berg.').first().waitFor();
    await openTab(guest.page, 'audit');
    await guest.page.getByText('Administrators read the audit log. Ask Ida Berg.').first().waitFor();
    await openTab(guest.page, 'api');
    await guest.page.getByText('Administrators look after outgoing webhooks. Ask Ida Berg.').first().waitFor();
    await button(guest.page, 'Create a token').click();
    assert.equal(await guest.page.getByRole('dialog').getByRole('radio').count(), 1, 'no scope above their role');
    await guest.page.keyboard.press('Escape');

    await page.reload();
    await button(page, 'Change the role of Olaf Lie').click();
    await page.getByRole('radio', { name: 'Administrator' }).check();
    await button(page, 'Change the role').click();
    await page.getByText('Olaf Lie is an administrator now.').waitFor();
    await focused(button(page, 'Change the role of Olaf Lie'));
    await openTab(guest.page, 'team');
    await guest.page.getByRole('button', { name: 'Invite somebody', disabled: false }).waitFor();
    const mine = button(guest.page, 'Change the role of Ida Berg');
    assert.equal(await mine.getAttribute('aria-disabled'), 'true', 'an administrator changes no owner');

    await button(page, 'Remove Olaf Lie').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove Olaf Lie' }).click();
    await page.getByText('Olaf Lie no longer belongs to this workspace.').waitFor();
    await guest.page.goto(`${app.url}/settings?tab=team`);
    await guest.page.getByRole('heading', { level: 1, name: /^Sign in/ }).waitFor();
    await guest.context.close();
  });

  test('workspaces: a further one is made and switched to; its name goes into the bar', async () => {
    const { page } = owner;
    await openTab(page, 'team');
    await button(page, 'New workspace').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Kiln & Co');
    await page.keyboard.press('Enter');
    await button(page, 'Switch to Kiln & Co').click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await openTab(page, 'team');
    await page.getByLabel('Name of this workspace').fill('Kiln and Company');
    await button(page, 'Rename').click();
    await page.getByText('The workspace is called Kiln and Company now.').waitFor();
    await page.getByRole('banner').getByText('Kiln and Company').waitFor();
    const back = button(page, /^Switch to /);
    await back.click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  test('the audit log tells all of it, opens an entry, and is exported whole', async () => {
    const { page } = owner;
    await openTab(page, 'audit');
    for (const told of [
      /Ida Berg created the API token Nightly report/,
      /revoked the API token Nightly report/,
      /sent an invitation to o…@example\.com/,
      /Olaf Lie accepted an invitation/,
      /changed the role of .* from viewer to admin/,
      /removed the member/,
    ])
      await page.getByRole('listitem').filter({ hasText: told }).first().waitFor();
    const entry = page.getByRole('listitem').filter({ hasText: 'created the API token' }).first();
    await entry.locator('summary').press('Enter');
    await entry.getByText('14 days').waitFor();
    const downloading = page.waitForEvent('download');
    await button(page, 'Export all').click();
    const file = await (await downloading).path();
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    const actions = lines.map((line) => (JSON.parse(line) as { action: string }).action);
    assert.ok(actions.includes('api_token.created') && actions.includes('member.removed'));
    assert.deepEqual(owner.complaints, []);
  });

  test('a list that can not be read says so, and Try Again helps', async () => {
    const { page } = owner;
    const error = { code: 'STORAGE', message: 'The disk is full.', details: {}, requestId: 'req_for_test' };
    const lists = [
      ['api', '**/api/workspace/tokens', 'The tokens could not be read.', 'No API token yet'],
      ['team', '**/api/workspace/members', 'The members could not be read.', 'owner@example.com'],
      ['audit', '**/api/workspace/audit?*', 'The audit log could not be read.', 'signed in'],
    ] as const;
    for (const [tab, call, failed, fine] of lists) {
      await page.route(call, (route) => route.fulfill({ status: 422, json: { error } }));
      await openTab(page, tab);
      await page.getByText(failed, { exact: true }).waitFor();
      await page.unroute(call);
      await button(page, 'Try Again').first().click();
      await page.getByText(fine).first().waitFor();
    }
  });

  test('axe finds nothing on the three tabs and in their windows, in both themes and widths', async () => {
    const { page } = owner;
    const found: string[] = [];
    const look = async (name: string): Promise<void> => {
      await page.waitForLoadState('networkidle').catch(() => undefined);
      found.push(...(await audit(page, name)));
    };
    // With something in every list.
    await callApi(page, 'POST', '/auth/prove', { password: PASSWORD });
    await callApi(page, 'POST', '/workspace/tokens', { name: 'Till', scope: 'read', expiresInDays: 2 });
    await callApi(page, 'POST', '/workspace/invitations', { email: 'per@example.com', role: 'member' });
    const made = { url: `${hooks}/in`, description: 'Till', events: ['run.failed'] };
    const { endpoint } = await callApi<{ endpoint: { _id: string } }>(page, 'POST', '/webhook-endpoints', made);
    await callApi(page, 'POST', `/webhook-endpoints/${endpoint._id}/test`, {});
    await callApi(page, 'POST', '/webhook-endpoints', { kind: 'chat', url: `${hooks}/chat` });
    await openTab(page, 'api');
    await page.getByText(/delivered\. HTTP 200 in/).waitFor();
    await look('api');
    await button(page, 'Open Till').click();
    await page.getByRole('dialog').locator('summary').click();
    await look('an endpoint');
    await page.keyboard.press('Escape');
    await button(page, 'Create a token').click();
    await look('create a token');
    await page.keyboard.press('Escape');
    await button(page, 'Add an endpoint').click();
    await page.getByRole('radio', { name: 'Some kinds of event' }).press('Space');
    await look('add an endpoint');
    await page.keyboard.press('Escape');
    await openTab(page, 'team');
    await page.getByText('per@example.com').waitFor();
    await look('team');
    await button(page, 'Invite somebody').click();
    await look('invite somebody');
    await page.keyboard.press('Escape');
    await openTab(page, 'audit');
    await page.locator('summary').first().click();
    await look('audit');
    assert.deepEqual(found, []);
    assert.deepEqual(owner.complaints, []);
  });

  test('a demo session is told what it has not, and nothing is asked that would be refused', async () => {
    const { page, context, complaints } = await app.openPage();
    await openDemo(page, app.url);
    await openTab(page, 'api');
    await page.getByText('No API tokens in the demo').waitFor();
    await page.getByText(/^In the demo nothing is sent/).waitFor();
    await openTab(page, 'team');
    await page
      .getByText(/^You are alone in the demo/)
      .first()
      .waitFor();
    await openTab(page, 'audit');
    await page.getByText('No audit log in the demo').waitFor();
    await page.waitForLoadState('networkidle').catch(() => undefined);
    assert.deepEqual(complaints, []);
    await context.close();
  });
});
