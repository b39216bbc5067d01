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
  ...SETTINGS_TABS.map((tab) => ({
    name: `settings-demo-${tab}`,
    isSignedIn: true,
    go: visit(`/settings?tab=${tab}`),
  })),
];
