import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { totpCode } from '../../src/accounts/totp.ts';
import { type Issuer, startIssuer } from '../../src/testing/http/identity-issuer.ts';
import { IN_BROWSER } from './support/app.ts';
import { audit } from './support/audit.ts';
import { type OpenPage, openBrowser, openPage } from './support/browser.ts';
import { callApi } from './support/demo.ts';
import { type RunningServer, startServer } from './support/start-server.ts';

const CLIENT = { id: 'twinshelf', secret: 'client-secret-of-the-test' };
const OWNER = { firstName: 'Ida', lastName: 'Berg', email: 'ida@example.com', agreeToTerms: true };
const PASSWORD = 'Good-shelf-7';
const PROOF = { code: 'PROOF_REQUIRED', message: '', details: {}, requestId: 'r' };

/** Sign-in by the operator's provider as people do it: by the button, and back. */
describe('sign-in by OpenID Connect', IN_BROWSER, () => {
  let issuer: Issuer;
  let server: RunningServer;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let visitor: OpenPage;
  before(async () => {
    issuer = await startIssuer(CLIENT.id, CLIENT.secret);
    const oidc = { OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret };
    const settings = { ...oidc, OIDC_NAME: 'Example Login', OIDC_SIGNUP: 'on', DEMO: 'off' };
    server = await startServer(settings);
    browser = await openBrowser();
    await fetch(`${server.url}/api/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...OWNER, password: PASSWORD, confirmPassword: PASSWORD }),
    });
    visitor = await openPage(browser);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    issuer?.close();
  });

  async function signInElsewhere(): Promise<void> {
    await visitor.page.goto(`${server.url}/login`);
    await visitor.page.getByRole('link', { name: 'Sign in with Example Login' }).click();
  }

  test('what the provider does not vouch for, and an address that has an account, is said in words', async () => {
    issuer.claims = { sub: 'person-1', email: 'ada@example.com', email_verified: false, name: 'Ada Lovelace' };
    await signInElsewhere();
    await visitor.page.getByText(/did not vouch for your email address/).waitFor();
    issuer.claims = { sub: 'person-1', email: OWNER.email, email_verified: true, name: 'Ada Lovelace' };
    await signInElsewhere();
    await visitor.page.getByText(/An account with this email already exists/).waitFor();
  });

  test('whoever is told so, and signs in with the password, is in', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${server.url}/login?error=EMAIL_TAKEN`);
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.close();
  });

  test('whom it vouches for is signed in, and stays so', async () => {
    const { page, complaints } = visitor;
    issuer.claims = { sub: 'person-1', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' };
    await signInElsewhere();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const { user } = await callApi<{ user: { email: string } }>(page, 'GET', '/auth/me');
    assert.equal(user.email, 'ada@example.com');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.goto(`${server.url}/login?error=IDENTITY_TAKEN`);
    await page.getByText('This sign-in is connected to another account already.').waitFor();
    assert.equal(new URL(page.url()).pathname, '/settings', 'who is signed in reads it in the settings');
    assert.deepEqual(complaints, []);
  });

  test('an account is connected and disconnected in the settings; a provider that is down is said in words', async () => {
    const { page, complaints } = await openPage(browser, { excused: [403, 422] });
    await page.goto(`${server.url}/login`);
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.goto(`${server.url}/settings?tab=security`);
    const part = page.getByRole('region', { name: /^Sign-in by OpenID Connect/ });
    await part.getByText('Not connected', { exact: true }).waitFor();
    const failed = { code: 'PROVIDER_FAILED', message: 'It does not answer. Try again.', details: {}, requestId: 'r' };
    await page.route('**/auth/oidc/link', (route) => route.fulfill({ status: 422, json: { error: failed } }), {
      times: 1,
    });
    await part.getByRole('button', { name: 'Connect Example Login' }).click();
    await page.getByText('It does not answer. Try again.').waitFor();
    assert.deepEqual(await audit(page, 'not connected'), []);

    issuer.claims = { sub: 'person-1', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' };
    await part.getByRole('button', { name: 'Connect Example Login' }).click();
    await page.getByText('This sign-in is connected to another account already.').waitFor();
    assert.equal(new URL(page.url()).pathname, '/settings');
    await page.goto(`${server.url}/api/auth/oidc/callback?error=access_denied&state=stale`);
    await page.getByText('The other way to sign in was not connected. Please try again.').waitFor();
    await part.getByText('Not connected', { exact: true }).waitFor();
    assert.deepEqual(await audit(page, 'not connected, and why'), []);

    issuer.claims = { sub: 'person-2', email: 'elsewhere@example.com', email_verified: true, name: 'Ida Berg' };
    await part.getByRole('button', { name: 'Connect Example Login' }).click();
    await part.getByText('Connected', { exact: true }).waitFor();
    assert.equal(new URL(page.url()).search, '?tab=security');
    await part.getByRole('button', { name: 'Disconnect' }).click();
    const asked = page.getByRole('dialog', { name: 'Disconnect Example Login?' });
    assert.deepEqual(await audit(page, 'disconnect'), []);
    await page.route('**/auth/oidc/unlink', (route) => route.fulfill({ status: 403, json: { error: PROOF } }), {
      times: 1,
    });
    await asked.getByRole('button', { name: 'Disconnect' }).click();
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await part.getByText('Not connected', { exact: true }).waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('an account that only the provider opens is not locked out by a press', async () => {
    const { page, complaints } = visitor;
    await page.goto(`${server.url}/settings?tab=security`);
    const part = page.getByRole('region', { name: /^Sign-in by OpenID Connect/ });
    await part.getByText('It is the only way into your account.', { exact: false }).waitFor();
    assert.equal(await part.getByRole('button').count(), 0);
    assert.deepEqual(complaints, []);
  });

  test('whose account has two-factor sign-in on is asked for a code after it', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${server.url}/login`);
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    issuer.claims = { sub: 'person-2', email: 'elsewhere@example.com', email_verified: true, name: 'Ida Berg' };
    await page.goto(`${server.url}/settings?tab=security`);
    await page.getByRole('button', { name: 'Connect Example Login' }).click();
    await page.getByText('Connected', { exact: true }).waitFor();
    const { secret } = await callApi<{ secret: string }>(page, 'POST', '/auth/two-factor/begin');
    const code = totpCode(secret, Math.floor(Date.now() / 30_000));
    const { recoveryCodes } = await callApi<{ recoveryCodes: string[] }>(
      ...([page, 'POST', '/auth/two-factor/enable', { code }] as const),
    );
    await page.close();

    for (const [n, width] of [1440, 360].entries()) {
      const { page: fresh, complaints } = await openPage(browser, {
        ...{ width, theme: width === 360 ? ('dark' as const) : ('light' as const), excused: [401] },
      });
      await fresh.goto(`${server.url}/login`);
      await fresh.getByRole('link', { name: 'Sign in with Example Login' }).click();
      await fresh.getByRole('heading', { level: 1, name: 'Two-factor sign-in' }).waitFor();
      await fresh.getByLabel('Code').fill('000000');
      await fresh.keyboard.press('Enter');
      await fresh.getByText('This code is not right.', { exact: false }).waitFor();
      assert.deepEqual(await audit(fresh, 'the code after a sign-in elsewhere'), []);
      await fresh.getByLabel('Code').fill(recoveryCodes[n] ?? '');
      await fresh.keyboard.press('Enter');
      await fresh.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      await fresh.reload();
      await fresh.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      assert.deepEqual(complaints, []);
      await fresh.close();
    }
  });

  test('who took too long for the code is told to begin again, and is led back', async () => {
    const { page, complaints } = await openPage(browser, { excused: [422] });
    await page.goto(`${server.url}/login?codeAsked=true`);
    await page.getByLabel('Code').fill('000000');
    await page.keyboard.press('Enter');
    await page.getByText('This sign-in has taken too long. Go back and begin again.').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('link', { name: 'Sign in with Example Login' }).waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('who is led back by a provider that does not answer is told what to do', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${server.url}/login?error=PROVIDER_FAILED`);
    await page
      .getByText(/does not answer as it should\. Try again in a minute, or sign in with your password/)
      .waitFor();
    await page.close();
  });
});
