import type { Page } from 'playwright-core';
import { callApi } from '../../web/e2e/support/demo.ts';
import { SETTINGS_TABS } from '../../web/pages/settings/tabs.ts';
import { type Scene, visit } from './scene.ts';

const PERSON = { email: 'ida@northfold.example', password: 'Good-shelf-7' };

/** An account of its own: the first look makes it, the others sign in to it. */
async function enter(page: Page, url: string): Promise<void> {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { accessToken?: string; user?: object };
  };
  const names = { firstName: 'Ida', lastName: 'Berg', company: 'Northfold' };
  const signUp = { ...PERSON, ...names, confirmPassword: PERSON.password, agreeToTerms: true };
  const known = await post('/auth/login', PERSON);
  const { accessToken = '', user } = known.accessToken ? known : await post('/auth/signup', signUp);
  await page.goto(`${url}/login`);
  await page.evaluate(
    ([token, text]) => {
      localStorage.setItem('accessToken', token ?? '');
      localStorage.setItem('user', text ?? '');
    },
    [accessToken, JSON.stringify(user)],
  );
}

function scene(name: string, tab: string, go?: (page: Page, url: string) => Promise<unknown>): Scene {
  return {
    name: `settings-${name}`,
    isSignedIn: false,
    isAlone: true,
    ...(go ? { isWindowOnly: true } : {}),
    go: async (page, url) => {
      await enter(page, url);
      await visit(`/settings?tab=${tab}`)(page, url);
      await go?.(page, url);
    },
  };
}

const press = (button: string) => (page: Page) => page.getByRole('button', { name: button, exact: true }).click();

/** An instance with more people than Ida. */
async function withOthers(page: Page): Promise<void> {
  const { users } = await callApi<{ users: object[] }>(page, 'GET', '/instance/users');
  const others = ['Olaf Lie', 'Per Dahl', 'Anna-Katharina Hohenfels-Wittgenstein'].map((name, at) => ({
    ...{ _id: `usr_${at}`, name, email: `${name.split(' ')[0]?.toLowerCase()}@northfold.example` },
    ...{ role: at === 0 ? 'admin' : 'user', isVerified: at < 2, hasTwoFactor: at === 0, workspaceCount: at + 1 },
    ...{ createdAt: '2026-03-02T09:00:00.000Z', lastActiveAt: at === 2 ? null : '2026-11-20T09:00:00.000Z' },
  }));
  await page.route('**/api/instance/users', (route) => route.fulfill({ json: { users: [...users, ...others] } }));
  await page.reload();
  await page.getByRole('button', { name: 'Change the role of Per Dahl' }).waitFor();
}

/** The settings as a person with an account sees them, and as a demo session does. */
export const SETTINGS_SCENES: readonly Scene[] = [
  ...SETTINGS_TABS.map((tab) => scene(tab, tab)),
  scene('edited', 'profile', async (page) => {
    await page.getByLabel('First name').fill('');
    await page.getByLabel('Weekly report').check();
    await press('Save changes')(page);
  }),
  scene('email', 'profile', press('Change email')),
  scene('reset', 'profile', press('Reset settings')),
  scene('password', 'security', async (page) => {
    await press('Change password')(page);
    await page.getByLabel('New password').fill('Better-shelf');
  }),
  scene('two-factor', 'security', async (page) => {
    await callApi(page, 'POST', '/auth/prove', { password: PERSON.password });
    await press('Turn on')(page);
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  }),
  scene('recovery-codes', 'security', async (page) => {
    const recoveryCodes = Array.from({ length: 10 }, (_, at) => `a${at}b2-c3d4-e5f6-g7h${at}`);
    await page.route('**/two-factor/enable', (route) => route.fulfill({ json: { recoveryCodes } }));
    await callApi(page, 'POST', '/auth/prove', { password: PERSON.password });
    await press('Turn on')(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code', { exact: true }).fill('123456');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Your recovery codes').waitFor();
  }),
  scene('others', 'security', press('Sign out of all other devices')),
  scene('proof', 'danger', async (page) => {
    await page.route('**/api/user/export', (route) =>
      route.fulfill({
        status: 403,
        json: { error: { code: 'PROOF_REQUIRED', message: '', details: {}, requestId: '' } },
      }),
    );
    await press('Export my data')(page);
  }),
  scene('delete-account', 'danger', press('Delete my account')),
  scene('delete-workspace', 'danger', press('Delete Northfold')),
  scene('people-role', 'people', async (page) => {
    await withOthers(page);
    await page.getByRole('button', { name: 'Change the role of Per Dahl' }).click();
  }),
  scene('log-filled', 'log', async (page) => {
    await callApi(page, 'PATCH', '/user/settings', { company: 'Northfold' });
    await page.reload();
    await page.locator('summary').first().click();
  }),
  scene('people-many', 'people', async (page) => {
    await withOthers(page);
  }),
  scene('outbox-mail', 'outbox', async (page) => {
    await callApi(page, 'POST', '/auth/prove', { password: PERSON.password });
    await page
      .getByRole('button', { name: /^Open / })
      .last()
      .click();
    await press('Show the text')(page);
    await page.getByRole('region', { name: 'Text' }).waitFor();
  }),
  ...SETTINGS_TABS.map((tab) => ({
    name: `settings-demo-${tab}`,
    isSignedIn: true,
    go: visit(`/settings?tab=${tab}`),
  })),
];
