import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { IN_BROWSER, startApp } from './support/app.ts';
import { audit } from './support/audit.ts';
import type { OpenPage } from './support/browser.ts';
import { callApi, openDemo } from './support/demo.ts';
import { newSource, PASSWORD, People, type Person, PROXY, signIn } from './support/people.ts';
import { focused, pressUnlessGone, titled } from './support/waits.ts';

const HEADING = { people: 'People', outbox: 'Outbox', backups: 'Backups', log: 'Instance log' } as const;
type Tab = keyof typeof HEADING;
/** What the server is asked for the four screens. */
const CALLS = /\/api\/instance\/(users|outbox|backups|audit)/;

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (page: Page) => page.getByRole('dialog').last();

function fail(route: Route): Promise<void> {
  const error = { code: 'TIMEOUT', message: 'It took too long.', details: {}, requestId: 'req_e2e' };
  return route.fulfill({ status: 422, json: { error } });
}

async function openTab(page: Page, url: string, tab: Tab): Promise<void> {
  await page.goto(`${url}/settings?tab=${tab}`);
  await page.getByRole('heading', { level: 2, name: HEADING[tab] }).waitFor();
}

/** Who is asked for their password gives it. */
async function prove(page: Page): Promise<void> {
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await asked.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await asked.getByRole('button', { name: 'Confirm' }).click();
  await asked.waitFor({ state: 'detached' });
}

/** As ten minutes later: the server wants to know who sits there. */
async function wantProof(page: Page, path: string): Promise<void> {
  const error = { code: 'PROOF_REQUIRED', message: '', details: {}, requestId: 'req_e2e' };
  await page.route(path, (route) => route.fulfill({ status: 403, json: { error } }), { times: 1 });
}

describe('the screens for who runs the instance', IN_BROWSER, () => {
  const app = startApp({ TRUSTED_PROXIES: PROXY, SIGNUP: 'open' });
  const people = new People(app);
  let owner: OpenPage;
  let bob: Person;
  before(async () => {
    owner = await app.openPage({ excused: [403, 422] });
    await signIn(owner.page, app.url, await people.owner());
    bob = await people.person();
    await people.call('PATCH', '/user/settings', { token: bob.accessToken, body: { firstName: 'Bob' } });
  });

  const open = (tab: Tab): Promise<void> => openTab(owner.page, app.url, tab);
  const instanceStatus = async (): Promise<number> =>
    (await people.call('GET', '/instance/users', { token: bob.accessToken })).status;

  test('the way there: by the settings with the keyboard, and by the palette', async () => {
    const { page } = owner;
    await page.goto(`${app.url}/settings`);
    const list = page.getByRole('list', { name: 'This instance' });
    await list.getByRole('link', { name: 'People' }).focus();
    await page.keyboard.press('Enter');
    await titled(page, /^Settings: People/);
    await page.keyboard.press('Control+k');
    await focused(page.getByRole('combobox'));
    await page.keyboard.type('outbox');
    await page.getByRole('option', { name: 'Outbox of this instance' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: 'Outbox' }).waitFor();
    assert.equal(new URL(page.url()).search, '?tab=outbox');
  });

  test('whoever does not run it sees no way there, gets nothing by the address, and asks the server for nothing', async () => {
    for (const who of ['person', 'demo'] as const) {
      const { page, context, complaints } = await app.openPage();
      await context.setExtraHTTPHeaders({ 'x-forwarded-for': newSource() });
      const asked: string[] = [];
      page.on('request', (request) => {
        if (CALLS.test(request.url())) asked.push(request.url());
      });
      if (who === 'demo') await openDemo(page, app.url);
      else await signIn(page, app.url, bob);
      for (const tab of ['people', 'outbox', 'backups', 'log'] as const) {
        await openTab(page, app.url, tab);
        await page.getByRole('heading', { name: 'For administrators of this instance' }).waitFor();
        await page.waitForLoadState('networkidle');
      }
      if (who === 'demo') assert.deepEqual(await audit(page, 'not for everybody'), []);
      await page.setViewportSize({ width: 1440, height: 900 });
      assert.equal(await page.getByText('This instance', { exact: true }).count(), 0, who);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('outbox');
      await page.getByRole('dialog', { name: 'Search or jump to' }).waitFor();
      assert.equal(await page.getByRole('option', { name: /Outbox/ }).count(), 0, who);
      assert.deepEqual([asked, complaints], [[], []], who);
      await context.close();
    }
  });

  test('people: found by name without a trace in the address, made administrator and back, after words and the password', async () => {
    const { page } = owner;
    await open('people');
    const table = page.getByRole('table', { name: 'People' });
    const rowOf = (name: string) => table.getByRole('row', { name: new RegExp(name) });
    await rowOf('Bob Berg').getByText('User', { exact: true }).waitFor();
    await rowOf('owner@example.com').getByText('Administrator', { exact: true }).waitFor();
    // The last administrator can not go, and is told why.
    const own = button(page, 'Change the role of Ida Berg');
    assert.equal(await own.getAttribute('title'), 'An instance needs an administrator. Make somebody else one first.');

    await page.keyboard.press('/');
    await page.keyboard.type('bob');
    await page.getByText('1 of 2 people', { exact: true }).waitFor();
    assert.equal(await table.getByRole('row').count(), 2);
    assert.equal(new URL(page.url()).search, '?tab=people');
    await page.getByRole('searchbox').fill('nobody at all');
    await page.getByRole('heading', { name: 'Nobody here is called that' }).waitFor();
    await button(page, 'Clear the search').click();

    await button(page, 'Change the role of Bob Berg').click();
    await dialog(page).getByRole('heading', { name: 'Make Bob Berg an administrator?' }).waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await instanceStatus(), 403, 'a look changes nothing');
    await wantProof(page, '**/api/instance/users/*');
    await button(page, 'Change the role of Bob Berg').click();
    await dialog(page).getByRole('button', { name: 'Make administrator' }).click();
    await prove(page);
    await page.getByText('Bob Berg is an administrator of this instance now.').waitFor();
    await rowOf('Bob Berg').getByText('Administrator', { exact: true }).waitFor();
    assert.equal(await instanceStatus(), 200);

    await button(page, 'Change the role of Bob Berg').click();
    await page.route('**/api/instance/users/*', fail, { times: 1 });
    await dialog(page).getByRole('button', { name: 'Take the role' }).click();
    await dialog(page).getByText('It took too long.').waitFor();
    await dialog(page).getByRole('button', { name: 'Take the role' }).click();
    await page.getByText('Bob Berg is no longer an administrator of this instance.').waitFor();
    assert.equal(await instanceStatus(), 403);
  });

  test('outbox: why emails wait, one of them as text with its link to copy, and nothing in it becomes part of the page', async () => {
    const { page } = owner;
    const name = '<img src=x onerror=alert(1)> & "co"';
    await callApi(page, 'PATCH', '/workspace', { name });
    await callApi(page, 'POST', '/workspace/invitations', { email: 'eve@example.com', role: 'viewer' });
    await open('outbox');
    await page.getByText(/^This instance has no mail server, so nothing is sent/).waitFor();
    await button(page, /^Open .*to eve@example\.com$/).click();
    const sheet = dialog(page);
    await sheet.getByText('Kept', { exact: true }).waitFor();
    await wantProof(page, '**/api/instance/outbox/*');
    await sheet.getByRole('button', { name: 'Show the text' }).click();
    // Whoever prefers not to say who they are is back at the email.
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor({ state: 'detached' });
    await wantProof(page, '**/api/instance/outbox/*');
    await sheet.getByRole('button', { name: 'Show the text' }).click();
    await prove(page);
    const text = await sheet.getByRole('region', { name: 'Text' }).textContent();
    assert.ok(text?.includes(name), text ?? '');
    assert.equal(await sheet.locator('img').count(), 0);
    const link = await sheet.getByLabel('Link', { exact: true }).inputValue();
    assert.match(link, /\/accept-invite#token=invite_/);
    await sheet.getByRole('button', { name: 'Copy' }).click();
    await sheet.getByText(/clipboard|press Ctrl C/).waitFor();
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]));
    assert.ok(!kept.includes('token=invite_'));
    await page.keyboard.press('Escape');
    await focused(button(page, /^Open .*to eve@example\.com$/));

    await button(page, 'Send a test email').click();
    await page.getByText('There is no mail server: the test email is kept here like all others.').waitFor();
    await button(page, /^Open .*to owner@example\.com$/)
      .first()
      .waitFor();
    await button(page, 'Sent').click();
    await page.getByRole('heading', { name: 'No email is in the state "Sent"' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('state'), 'sent');
    await button(page, 'Clear filters').click();
    await button(page, /^Open .*to eve@example\.com$/).waitFor();
    await callApi(page, 'PATCH', '/workspace', { name: 'My workspace' });
  });

  test('log: who did what in words with names, and by what it is about', async () => {
    const { page } = owner;
    await open('log');
    const entry = page.getByRole('listitem').filter({ hasText: 'changed the instance role of Bob Berg' });
    await entry.first().getByText('from admin to user').waitFor();
    await entry.first().locator('summary').click();
    await entry.first().getByText('instance.role_changed', { exact: false }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'changed their profile' }).first().waitFor();
    await button(page, 'Administrators').click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'changed their profile' })
      .first()
      .waitFor({ state: 'detached' });
    await entry.first().waitFor();
    assert.equal(new URL(page.url()).search, '?tab=log&about=instance');
    await button(page, 'Administrators').click();
    await button(page, 'Devices').click();
    await page.getByRole('heading', { name: 'Nothing about devices' }).waitFor();
  });

  test('backups: one is made and listed, the next daily one and the way back are told, and a failure with its remedy', async () => {
    const { page } = owner;
    await open('backups');
    await page.getByRole('heading', { name: 'There is no backup yet' }).waitFor();
    await page.getByText(/^The next one is made .*The newest 3 are kept \(BACKUPS_KEEP\)/).waitFor();
    await button(page, 'Make a backup now').click();
    await page.getByText(/^The backup is made, and was read from end to end: twinshelf-\d{8}T\d{6}Z\.db, /).waitFor();
    const row = page.getByRole('table', { name: 'Backups' }).getByRole('row', { name: /twinshelf-.*By hand/ });
    await row.waitFor();
    assert.match(
      await page.getByLabel('Command', { exact: true }).inputValue(),
      /^node dist\/server\.mjs restore \/.*\/twinshelf-\w+\.db$/,
    );
    await page.route('**/api/instance/backups', (route) =>
      route.fulfill({
        status: 422,
        json: { error: { code: 'BACKUP_FAILED', message: 'Free some space.', details: {}, requestId: 'req_e2e' } },
      }),
    );
    await button(page, 'Make a backup now').click();
    await page.getByRole('alert').getByText('Free some space.').waitFor();
    await page.unroute('**/api/instance/backups');
    assert.equal((await people.call('POST', '/instance/backups', { token: bob.accessToken })).status, 403);
    await open('log');
    await page
      .getByRole('listitem')
      .filter({ hasText: /made the backup.*twinshelf-/ })
      .first()
      .waitFor();
  });

  test('loading, failed, stale and partial: each has its place, and what failed can be asked for again', async () => {
    const { page } = owner;
    const LIST = {
      people: '**/api/instance/users',
      outbox: '**/api/instance/outbox?*',
      log: '**/api/instance/audit?*',
    };
    const FAILED = { people: 'The people', outbox: 'The outbox', log: 'The log' };
    const loaded = { people: 'table', outbox: 'table', log: 'article' };
    for (const tab of ['people', 'outbox', 'log'] as const) {
      await page.route(LIST[tab], () => undefined);
      await open(tab);
      await page.getByRole('status', { name: 'Loading' }).waitFor();
      await page.unroute(LIST[tab]);
      await page.route(LIST[tab], fail);
      await page.reload();
      await page.getByText(`${FAILED[tab]} could not be read.`, { exact: true }).waitFor();
      await page.unroute(LIST[tab]);
      await pressUnlessGone(button(page, 'Try Again'));
      const shown = loaded[tab] === 'table' ? page.getByRole('table') : page.getByText('changed their profile').first();
      await shown.waitFor();
      // What was there stays, and says from when it is.
      await page.route(LIST[tab], fail);
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      await page.getByText(/^As of \d\d:\d\d/).waitFor();
      await shown.waitFor();
      await page.unroute(LIST[tab]);
    }
    // Without the people the log tells the rest.
    await page.route(LIST.people, fail);
    await open('log');
    await page
      .getByText(/changed the instance role of/)
      .first()
      .waitFor();
    await page.getByText('usr_', { exact: false }).first().waitFor();
    await page.unroute(LIST.people);
  });

  test('both themes, two widths: axe finds nothing and nothing scrolls sideways', async () => {
    const { page, complaints } = owner;
    const found: string[] = [];
    for (const tab of ['people', 'outbox', 'backups', 'log'] as const) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await open(tab);
      await page.waitForLoadState('networkidle').catch(() => undefined);
      found.push(...(await audit(page, tab)));
    }
    await open('people');
    await button(page, 'Change the role of Bob Berg').click();
    found.push(...(await audit(page, 'role')));
    await open('outbox');
    await button(page, /^Open .*to eve@example\.com$/).click();
    await callApi(page, 'POST', '/auth/prove', { password: PASSWORD });
    await button(page, 'Show the text').click();
    await dialog(page).getByRole('region', { name: 'Text' }).waitFor();
    found.push(...(await audit(page, 'email')));
    await page.route('**/api/instance/users', fail);
    await open('people');
    await page.getByText('The people could not be read.', { exact: true }).waitFor();
    found.push(...(await audit(page, 'failed')));
    await page.unroute('**/api/instance/users');
    assert.deepEqual(found, []);
    assert.deepEqual(complaints, []);
  });

  test('whoever gives the role up is out at once', async () => {
    const { page } = owner;
    await page.setViewportSize({ width: 1440, height: 900 });
    await open('people');
    await button(page, 'Change the role of Bob Berg').click();
    await dialog(page).getByRole('button', { name: 'Make administrator' }).click();
    await page.getByText('Bob Berg is an administrator of this instance now.').waitFor();
    await button(page, 'Change the role of Ida Berg').click();
    await dialog(page).getByText('You can not take this back yourself: another administrator has to.').waitFor();
    await dialog(page).getByRole('button', { name: 'Give it up' }).click();
    await page.getByRole('heading', { name: 'For administrators of this instance' }).waitFor();
    assert.equal(await page.getByText('This instance', { exact: true }).count(), 0);
  });
});

describe('an email that is open', IN_BROWSER, () => {
  const app = startApp({ SIGNUP: 'open' });
  const people = new People(app);

  /** The outbox with this email in it alone; `fate` says what has become of it. */
  async function openMail(search: string) {
    const { page, complaints } = await app.openPage();
    await signIn(page, app.url, await people.owner());
    const fate = { state: 'queued', attempts: 1, lastError: 'Connection refused', sentAt: null as string | null };
    await page.route('**/api/instance/outbox?*', (route) => {
      const mail = { _id: 'mail_1', kind: 'invitation', to: 'eve@example.com', subject: 'You are invited', ...fate };
      const asked = new URL(route.request().url()).searchParams.get('state');
      const mails = asked === null || asked === fate.state ? [{ ...mail, createdAt: new Date().toISOString() }] : [];
      return route.fulfill({ json: { mails, nextCursor: null, isMailSent: true } });
    });
    await page.goto(`${app.url}/settings?tab=outbox${search}`);
    await button(page, 'Open You are invited, to eve@example.com').click();
    await dialog(page).getByText('Connection refused').waitFor();
    const sent = { state: 'sent', lastError: null, sentAt: new Date().toISOString() };
    return { page, complaints, send: () => void Object.assign(fate, sent) };
  }

  test('follows what becomes of it', async () => {
    const { page, complaints, send } = await openMail('');
    send();
    await dialog(page).getByText('Sent', { exact: true }).first().waitFor();
    await dialog(page).getByRole('button', { name: 'Show the text' }).waitFor({ state: 'detached' });
    assert.equal(await dialog(page).getByText('Connection refused').count(), 0);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('that is not among those that are shown any more says so', async () => {
    const { page, complaints, send } = await openMail('&state=queued');
    send();
    await dialog(page)
      .getByText(/^It has left the list that you opened it from/)
      .waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });
});

describe('the outbox with a mail server that does not answer', IN_BROWSER, () => {
  const app = startApp({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'shop@example.com', SIGNUP: 'open' });
  const people = new People(app);

  test('says how often it was tried, and what the mail server said; the text can still be read', async () => {
    const { page, context, complaints } = await app.openPage({ excused: [403] });
    await signIn(page, app.url, await people.owner());
    await openTab(page, app.url, 'outbox');
    await page.getByText('Failed 1 time, tried again').waitFor();
    assert.equal(await page.getByText(/^This instance has no mail server/).count(), 0);
    await button(page, 'Send a test email').click();
    await page.getByText(/^A test email is on its way to owner@example\.com/).waitFor();
    // The list looks again by itself while something is on its way for the first time.
    await page.getByText('Failed 1 time, tried again').nth(1).waitFor();
    await button(page, /^Open Confirm your email/).click();
    await dialog(page).getByText('The mail server said', { exact: true }).waitFor();
    await dialog(page)
      .getByText(/ECONNREFUSED|refused/i)
      .first()
      .waitFor();
    await button(page, 'Show the text').click();
    await dialog(page)
      .getByRole('region', { name: 'Text' })
      .getByText(/verify-email#token=/)
      .waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  });
});
