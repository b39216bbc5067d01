import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import type { SessionReply } from '../../contracts/auth.ts';
import type { ErrorReply } from '../../contracts/errors.ts';
import type { TestApp } from './make-test-app.ts';

export const FORM = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  company: 'Engines Ltd',
  password: 'Secret-12',
  confirmPassword: 'Secret-12',
  agreeToTerms: true,
  subscribeToNewsletter: true,
};

export interface Answer<T = Record<string, never>> {
  readonly status: number;
  readonly body: T & ErrorReply;
}

export interface SignedInClient {
  readonly user: SessionReply['user'];
  readonly accessToken: string;
  readonly refreshToken: string;
  call<T = Record<string, never>>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
  ): Promise<Answer<T>>;
}

export async function post<T = Record<string, never>>(app: TestApp, url: string, payload: object): Promise<Answer<T>> {
  const reply = await app.server.inject({ method: 'POST', url, payload });
  return { status: reply.statusCode, body: reply.json() };
}

export function signedIn(app: TestApp, { user, accessToken, refreshToken }: SessionReply): SignedInClient {
  return {
    ...{ user, accessToken, refreshToken },
    async call<T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) {
      const headers = { authorization: `Bearer ${accessToken}` };
      const reply = await app.server.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
      const text = reply.headers['content-type']?.toString().includes('ndjson') ? { text: reply.body } : null;
      return { status: reply.statusCode, body: (text ?? reply.json()) as T & ErrorReply };
    },
  };
}

/** Signs up through the API. */
export async function register(app: TestApp, change: object = {}): Promise<SignedInClient> {
  const { status, body } = await post<SessionReply>(app, '/api/auth/signup', { ...FORM, ...change });
  if (status !== 201) throw new Error(`sign-up answered ${status} ${body.error.code}`);
  return signedIn(app, body);
}

/** Goes on in the workspace that the last mailed invitation is for. */
export async function acceptInvitation(app: TestApp, person: SignedInClient): Promise<SignedInClient> {
  const token = lastLink(app, 'invitation');
  const { status, body } = await person.call<SessionReply>('POST', '/api/invitations/accept', { token });
  if (status !== 200) throw new Error(`the invitation was answered ${status} ${body.error.code}`);
  return signedIn(app, { ...body, refreshToken: person.refreshToken });
}

export async function signIn(app: TestApp, change: object = {}): Promise<SignedInClient> {
  const { email, password } = FORM;
  const { status, body } = await post<SessionReply>(app, '/api/auth/login', { email, password, ...change });
  if (status !== 200) throw new Error(`login answered ${status} ${body.error.code}`);
  return signedIn(app, body);
}

/** The secret behind the # of the last mailed link. */
export function lastLink(app: TestApp, kind: 'verify_email' | 'reset_password' | 'invitation'): string {
  const mail = app.mails.findLast((one) => one.kind === kind);
  const token = mail !== undefined && 'link' in mail ? mail.link.split('#token=')[1] : undefined;
  if (token === undefined) throw new Error(`no ${kind} was mailed`);
  return token;
}

/** Sends the body only after `meanwhile`, over a real socket: who is asking was looked at before. */
export async function slowly(
  app: TestApp,
  { accessToken }: SignedInClient,
  method: 'POST' | 'PATCH',
  path: string,
  body: object,
  meanwhile: () => unknown,
): Promise<Answer> {
  const arrived = once(app.server.server, 'request');
  const url = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const asked = request(`${url}${path}`, { method, headers });
  asked.flushHeaders();
  await arrived;
  await turn();
  await meanwhile();
  asked.end(JSON.stringify(body));
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: reply.statusCode ?? 0, body: JSON.parse(await text(reply)) };
}
