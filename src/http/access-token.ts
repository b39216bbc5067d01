import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { SessionPrincipal } from '../accounts/open-session.ts';
import { AppError } from './app-error.ts';
import type { Server } from './types.ts';

const ACCESS_TOKEN_MS = 15 * 60_000;
/** What a demo visitor's token begins with; the specification's pages tell a demo by it. */
const DEMO_PREFIX = 'mock_';

const Claims = Type.Object({
  sub: Type.String(),
  /** Session: ending it ends its tokens at once. */
  sid: Type.String(),
  ws: Type.String(),
  demo: Type.Boolean(),
  iat: Type.Integer(),
  exp: Type.Integer(),
});
type Claims = Static<typeof Claims>;
const claimsValidator = Compile(Claims);

export interface AccessTokens {
  sign(principal: SessionPrincipal): { readonly accessToken: string; readonly expiresAt: number };
  /** Of a token that is ours and not expired. Throws `TOKEN_EXPIRED` or `UNAUTHORIZED`. */
  verify(token: string): { readonly sessionId: string; readonly workspaceId: string };
}

/** Access tokens are short-lived JWTs; what they may do is looked up at each request, never read from them, but for the workspace that they were given for. */
export function createAccessTokens(server: Server, nowMs: () => number): AccessTokens {
  return {
    sign({ user, workspace, session }) {
      const issuedAt = Math.floor(nowMs() / 1000);
      const exp = issuedAt + ACCESS_TOKEN_MS / 1000;
      const claims: Claims = {
        sub: user.id,
        sid: session.id,
        ws: workspace.id,
        demo: workspace.isDemo,
        iat: issuedAt,
        exp,
      };
      const token = server.jwt.sign(claims);
      return { accessToken: workspace.isDemo ? DEMO_PREFIX + token : token, expiresAt: exp * 1000 };
    },
    verify(token) {
      const isDemo = token.startsWith(DEMO_PREFIX);
      const claims = decode(server, isDemo ? token.slice(DEMO_PREFIX.length) : token);
      if (claims === null || claims.demo !== isDemo) throw new AppError('UNAUTHORIZED');
      if (claims.exp * 1000 <= nowMs()) throw new AppError('TOKEN_EXPIRED');
      return { sessionId: claims.sid, workspaceId: claims.ws };
    },
  };
}

/** The signature is checked here; the time is ours to check, by the clock port. */
function decode(server: Server, token: string): Claims | null {
  try {
    const claims: unknown = server.jwt.verify(token, { ignoreExpiration: true });
    return claimsValidator.Check(claims) ? claims : null;
  } catch {
    return null;
  }
}
