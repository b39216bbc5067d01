import type { Configuration, IDToken } from 'openid-client';
import type { IdentityProvider, VouchedPerson } from '../ports/identity-provider.ts';

export interface OpenIdOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly allowsSignUp: boolean;
}

const TIMEOUT_S = 10;

/** Authorization code with PKCE, state and nonce. The library is loaded, and the issuer asked what it can, at the first sign-in. */
export function createOpenIdProvider(options: OpenIdOptions): IdentityProvider {
  let known: Promise<{ readonly client: typeof import('openid-client'); readonly config: Configuration }> | null = null;

  async function discover() {
    const client = await import('openid-client');
    const issuer = new URL(options.issuer);
    // Settings let http through for this machine only.
    const execute = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [];
    const { clientId, clientSecret } = options;
    const config = await client.discovery(issuer, clientId, clientSecret, undefined, { execute, timeout: TIMEOUT_S });
    assertPage(config.serverMetadata().authorization_endpoint, issuer);
    return { client, config };
  }

  function ready() {
    known ??= discover().catch((error: unknown) => {
      // An issuer that is down now may be up at the next try.
      known = null;
      throw error;
    });
    return known;
  }

  return {
    name: options.name,
    allowsSignUp: options.allowsSignUp,
    async begin(trip, redirectUri) {
      const { client, config } = await ready();
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: trip.state,
        nonce: trip.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(trip.verifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    async finish(trip, address) {
      const { client, config } = await ready();
      const tokens = await client.authorizationCodeGrant(config, new URL(address), {
        expectedState: trip.state,
        expectedNonce: trip.nonce,
        pkceCodeVerifier: trip.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('the issuer sent no identity');
      return personOf(claims);
    },
  };
}

/** The library takes what discovery says of it as it comes, and the browser is sent there. */
function assertPage(address: unknown, issuer: URL): void {
  const { protocol } = typeof address === 'string' && URL.canParse(address) ? new URL(address) : { protocol: '' };
  if (protocol !== 'https:' && protocol !== issuer.protocol)
    throw new Error('the issuer names no page to sign in at (authorization_endpoint)');
}

function personOf(claims: IDToken): VouchedPerson {
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name].trim().slice(0, 200) : '');
  const [first = '', ...rest] = text('name').split(/\s+/);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: text('email'),
    isEmailVerified: claims['email_verified'] === true,
    firstName: text('given_name') || first,
    lastName: text('family_name') || rest.join(' '),
  };
}
