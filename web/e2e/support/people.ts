import type { Page } from 'playwright-core';
import { totpCode } from '../../../src/accounts/totp.ts';
import type { App } from './app.ts';
import { until } from './waits.ts';

/** The server has to trust this proxy (TRUSTED_PROXIES), so that each test comes from an address of its own and has limits of its own. */
export const PROXY = '127.0.0.1';
export const PASSWORD = 'Good-shelf-7';
/** More than any route takes from one source. */
const CALLS_MAX = 100;

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly accessToken: string;
}

interface Call {
  readonly body?: unknown;
  readonly token?: string;
  readonly source?: string;
}

let lastSource = 0;

/** An address that nobody has called from. */
export function newSource(): string {
  lastSource += 1;
  return `198.51.100.${lastSource}`;
}

/** Makes accounts, links and codes as their owners would get them: by the API, and out of the outbox of the instance's owner. */
export class People {
  readonly #app: App;
  #count = 0;
  #owner: Promise<Person> | null = null;

  constructor(app: App) {
    this.#app = app;
  }

  /** The answer's status and body, whatever they are. */
  async call<T>(
    method: string,
    path: string,
    { body, token, source }: Call = {},
  ): Promise<{ status: number; data: T }> {
    const answer = await fetch(`${this.#app.url}/api${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(source === undefined ? {} : { 'x-forwarded-for': source }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: answer.status, data: (await answer.json()) as T };
  }

  async #get<T>(method: string, path: string, call: Call): Promise<T> {
    const { status, data } = await this.call<T>(method, path, call);
    if (status >= 400) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(data)}`);
    return data;
  }

  /** The first account, which owns the instance and reads its outbox. */
  owner(): Promise<Person> {
    this.#owner ??= this.#signUp('owner@example.com');
    return this.#owner;
  }

  async person(): Promise<Person> {
    await this.owner();
    this.#count += 1;
    return this.#signUp(`person-${this.#count}@example.com`, newSource());
  }

  async #signUp(email: string, source?: string): Promise<Person> {
    const body = {
      ...{ firstName: 'Ida', lastName: 'Berg', email, password: PASSWORD, confirmPassword: PASSWORD },
      ...{ agreeToTerms: true, subscribeToNewsletter: false },
    };
    const call = { body, ...(source === undefined ? {} : { source }) };
    const { accessToken } = await this.#get<{ accessToken: string }>('POST', '/auth/signup', call);
    return { email, password: PASSWORD, accessToken };
  }

  /** The link in the newest email of a kind to somebody. */
  async mailedLink(kind: string, to: string): Promise<string> {
    const { accessToken: token, password } = await this.owner();
    await this.#get('POST', '/auth/prove', { token, body: { password } });
    return until(`An email of kind ${kind} to ${to}`, async () => {
      type Mails = { mails: { _id: string; kind: string; to: string }[] };
      const { mails } = await this.#get<Mails>('GET', '/instance/outbox?limit=100', { token });
      const found = mails.find((mail) => mail.kind === kind && mail.to === to);
      if (!found) return undefined;
      const { text } = await this.#get<{ text: string }>('GET', `/instance/outbox/${found._id}`, { token });
      return /https?:\/\/\S+#token=\S+/.exec(text)?.[0];
    });
  }

  async resetLink({ email }: Person): Promise<string> {
    await this.#get('POST', '/auth/forgot-password', { body: { email }, source: newSource() });
    return this.mailedLink('reset_password', email);
  }

  async invitationFor(email: string): Promise<string> {
    const { accessToken: token } = await this.owner();
    await this.#get('POST', '/workspace/invitations', { token, body: { email, role: 'viewer' } });
    return this.mailedLink('invitation', email);
  }

  /** Turns the second factor on. The codes that are returned can be used once each. */
  async withSecondFactor({ accessToken: token, password }: Person): Promise<readonly string[]> {
    await this.#get('POST', '/auth/prove', { token, body: { password } });
    const { secret } = await this.#get<{ secret: string }>('POST', '/auth/two-factor/begin', { token, body: {} });
    const code = totpCode(secret, Math.floor(Date.now() / 30_000));
    type Codes = { recoveryCodes: string[] };
    return (await this.#get<Codes>('POST', '/auth/two-factor/enable', { token, body: { code } })).recoveryCodes;
  }

  /** Ends the session that a page has, behind its back. */
  async endSession(page: Page): Promise<void> {
    const token = await page.evaluate(() => localStorage.getItem('accessToken'));
    await this.#get('POST', '/auth/logout', { token: token ?? '', body: {} });
  }

  /** Calls until the limit of this source is reached, with what costs the server nothing: a body that nobody can read. */
  async exhaust(path: string, source: string): Promise<void> {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': source };
    for (let count = 0; count < CALLS_MAX; count += 1) {
      const answer = await fetch(`${this.#app.url}/api${path}`, { method: 'POST', headers, body: '{' });
      await answer.arrayBuffer();
      if (answer.status === 429) return;
    }
    throw new Error(`POST ${path} is not limited`);
  }
}

/** Fills in the sign-in form that is shown and sends it. */
export async function sendSignIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export async function signIn(page: Page, url: string, person: Person): Promise<void> {
  await page.goto(`${url}/login`);
  await sendSignIn(page, person);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}
