import { createHash, createSign, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Issuer {
  readonly url: string;
  /** What the next sign-in says about the person. */
  claims: Record<string, unknown>;
  /** What it answers in place of what it can: a body, whatever that is. Null: the truth. */
  rubbish: string | null;
  /** Signs in at the provider as a person would, and gives the address that the browser is sent back to. */
  visit(address: string): Promise<string>;
  close(): void;
}

/** An OpenID provider over real HTTP: discovery, keys, codes bound to their challenge, signed identities. */
export async function startIssuer(clientId: string, clientSecret: string): Promise<Issuer> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const codes = new Map<string, { nonce: string; challenge: string; redirectUri: string }>();
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' };
  let count = 0;
  const server = createServer((request, response) => {
    const say = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const address = new URL(request.url ?? '/', issuer.url);
      if (issuer.rubbish !== null) response.writeHead(200, { 'content-type': 'application/json' }).end(issuer.rubbish);
      else if (address.pathname === '/.well-known/openid-configuration') {
        say(200, {
          issuer: issuer.url,
          authorization_endpoint: `${issuer.url}/authorize`,
          token_endpoint: `${issuer.url}/token`,
          jwks_uri: `${issuer.url}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        });
      } else if (address.pathname === '/keys') say(200, { keys: [jwk] });
      else if (address.pathname === '/authorize') {
        const asked = (name: string) => address.searchParams.get(name) ?? '';
        const code = `code-${++count}`;
        codes.set(code, {
          nonce: asked('nonce'),
          challenge: asked('code_challenge'),
          redirectUri: asked('redirect_uri'),
        });
        response.writeHead(302, { location: `${asked('redirect_uri')}?code=${code}&state=${asked('state')}` }).end();
      } else token(new URLSearchParams(Buffer.concat(chunks).toString()), say);
    });
  });

  function token(form: URLSearchParams, say: (status: number, body: unknown) => void): void {
    const code = form.get('code') ?? '';
    const grant = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isGood =
      grant !== undefined && grant.challenge === challenge && grant.redirectUri === form.get('redirect_uri');
    if (!isGood || form.get('client_secret') !== clientSecret) {
      say(400, { error: 'invalid_grant' });
      return;
    }
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer.url, aud: clientId, iat: now, exp: now + 300, nonce: grant.nonce, ...issuer.claims };
    say(200, { access_token: 'at', token_type: 'Bearer', id_token: sign(claims) });
  }

  function sign(claims: object): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${part({ alg: 'RS256', kid: 'k1' })}.${part(claims)}`;
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer: Issuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    claims: {},
    rubbish: null,
    async visit(address) {
      const reply = await fetch(address, { redirect: 'manual' });
      return reply.headers.get('location') ?? '';
    },
    close: () => server.close(),
  };
  return issuer;
}
