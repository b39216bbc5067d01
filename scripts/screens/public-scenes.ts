import { failCall, type Scene, visit, visitAndPress } from './scene.ts';

/** What is seen without an account. */
export const PUBLIC_SCENES: readonly Scene[] = [
  { name: 'landing', isSignedIn: false, go: visit('/') },
  { name: 'pricing', isSignedIn: false, go: visit('/pricing') },
  { name: 'pricing-self-hosted', isSignedIn: false, go: visit('/pricing?tab=self-hosted') },
  { name: 'about', isSignedIn: false, go: visit('/about') },
  { name: 'security', isSignedIn: false, go: visit('/security') },
  { name: 'license', isSignedIn: false, go: visit('/license') },
  { name: 'enterprise', isSignedIn: false, go: visit('/enterprise') },
  { name: 'privacy', isSignedIn: false, go: visit('/privacy') },
  { name: 'terms', isSignedIn: false, go: visit('/terms') },
  { name: 'contact', isSignedIn: false, go: visit('/contact') },
  {
    name: 'contact-wrong',
    isSignedIn: false,
    go: visitAndPress('/contact', 'Send Message'),
  },
  {
    name: 'site-menu',
    isSignedIn: false,
    isWindowOnly: true,
    go: async (page, url) => {
      await visit('/about')(page, url);
      const menu = page.getByRole('button', { name: 'Open menu' });
      if (await menu.isVisible()) await menu.click();
      await page.evaluate(() => window.scrollTo(0, 200));
    },
  },
  { name: 'login', isSignedIn: false, go: visit('/login?verified=true') },
  {
    name: 'login-wrong',
    isSignedIn: false,
    go: async (page, url) => {
      await visit('/login')(page, url);
      await page.getByLabel('Email').fill('ida@example.com');
      await page.getByLabel('Password', { exact: true }).fill('not this one');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'signup', isSignedIn: false, go: visit('/signup') },
  {
    name: 'signup-security',
    isSignedIn: false,
    go: async (page, url) => {
      await visit('/signup')(page, url);
      await page.getByLabel('First name').fill('Ida');
      await page.getByLabel('Last name').fill('Berg');
      await page.getByLabel('Email').fill('ida@example.com');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('Password', { exact: true }).fill('shelf1');
      await page.getByRole('button', { name: 'Create Account' }).click();
    },
  },
  { name: 'forgot-password', isSignedIn: false, go: visit('/forgot-password') },
  { name: 'reset-password', isSignedIn: false, go: visit('/reset-password#token=x') },
  { name: 'verify-email', isSignedIn: false, go: visit('/verify-email') },
  { name: 'accept-invite', isSignedIn: false, go: visit('/accept-invite') },
  { name: 'demo-door', isSignedIn: false, go: visit('/demo') },
  { name: 'not-found', isSignedIn: false, go: visit('/no/such/page') },
  {
    name: 'contact-failed',
    isSignedIn: false,
    go: async (page, url) => {
      await failCall(page, '**/api/contact', 500);
      await visit('/contact')(page, url);
      await page.getByLabel('Name').fill('Ida Berg');
      await page.getByLabel('Email').fill('ida@example.com');
      await page.getByLabel('Subject').selectOption('technical');
      await page.getByLabel('Message').fill('Two shelves, and one of them leans.');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await page.getByRole('alert').waitFor();
      await page.unroute('**/api/contact');
    },
  },
  { name: 'login-empty', isSignedIn: false, go: visitAndPress('/login', 'Sign in') },
  {
    name: 'login-code',
    isSignedIn: false,
    go: async (page, url) => {
      const error = { code: 'TWO_FACTOR_REQUIRED', message: '', details: {}, requestId: 'req_01m8' };
      await page.route('**/api/auth/login', (route) => route.fulfill({ status: 401, json: { error } }));
      await visit('/login')(page, url);
      await page.getByLabel('Email').fill('ida@example.com');
      await page.getByLabel('Password', { exact: true }).fill('Good-shelf-7');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Two-factor sign-in' }).waitFor();
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.unroute('**/api/auth/login');
    },
  },
  { name: 'signup-wrong', isSignedIn: false, go: visitAndPress('/signup', 'Continue') },
  { name: 'forgot-password-wrong', isSignedIn: false, go: visitAndPress('/forgot-password', 'Send the link') },
  {
    name: 'forgot-password-sent',
    isSignedIn: false,
    go: async (page, url) => {
      await visit('/forgot-password')(page, url);
      await page.getByLabel('Email').fill('ida@example.com');
      await page.getByRole('button', { name: 'Send the link' }).click();
      await page.getByText(/^If there is an account/).waitFor();
    },
  },
  {
    name: 'reset-password-wrong',
    isSignedIn: false,
    go: async (page, url) => {
      await visit('/about')(page, url);
      await visitAndPress('/reset-password#token=y', 'Set the password')(page, url);
    },
  },
  {
    name: 'demo-door-failed',
    isSignedIn: false,
    go: async (page, url) => {
      await failCall(page, '**/api/demo/session', 500);
      await visitAndPress('/demo', 'Open the demo')(page, url);
      await page.getByRole('alert').waitFor();
      await page.unroute('**/api/demo/session');
    },
  },
  {
    name: 'loading',
    isSignedIn: false,
    isWindowOnly: true,
    isAlone: true,
    go: async (page, url) => {
      await page.route('**/assets/main-*.js', () => undefined);
      await page.goto(`${url}/login`, { waitUntil: 'commit' });
      await page.getByRole('status', { name: 'Starting' }).waitFor();
    },
  },
  {
    name: 'crash',
    isSignedIn: false,
    isAlone: true,
    go: async (page, url) => {
      await page.route('**/assets/contact-page-*.js', (route) => route.abort());
      await visit('/about')(page, url);
      const menu = page.getByRole('button', { name: 'Open menu' });
      if (await menu.isVisible()) await menu.click();
      await page.getByRole('banner').getByRole('link', { name: 'Contact' }).and(page.locator(':visible')).click();
      await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    },
  },
  { name: 'kit', isSignedIn: false, go: visit('/kit') },
  {
    name: 'kit-dialog',
    isSignedIn: false,
    isWindowOnly: true,
    go: visitAndPress('/kit', 'Open a dialog'),
  },
  {
    name: 'kit-toasts',
    isSignedIn: false,
    isWindowOnly: true,
    go: async (page, url) => {
      await visit('/kit')(page, url);
      for (const tone of ['success', 'warning', 'error'])
        await page.getByRole('button', { name: tone, exact: true }).click();
    },
  },
];
