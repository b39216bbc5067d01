import type { Principal, SignedIn } from '../../accounts/open-session.ts';
import { fullName } from '../../accounts/profile.ts';
import type { SessionReply, User } from '../../contracts/auth.ts';
import { isoTime } from '../../lib/time.ts';
import type { AccessTokens } from '../access-token.ts';

export function presentUser({ user, profile, workspace, membership }: Principal): User {
  const { email, firstName, lastName, company, timezone } = profile;
  return {
    id: user.id,
    ...{ email, firstName, lastName, company, timezone },
    name: fullName(profile),
    notifications: { ...profile.notifications },
    // The specification's demo user is called 'admin'; what a visitor may do is decided by what is stored.
    role: user.isDemo ? 'admin' : user.role,
    isVerified: user.verifiedAt !== null,
    isDemo: user.isDemo,
    hasTwoFactor: user.totpEnabledAt !== null,
    isSubscribedToNewsletter: user.newsletterAt !== null,
    createdAt: isoTime(user.createdAt),
    workspace: { _id: workspace.id, name: workspace.name, role: membership.role },
  };
}

export function presentSession(signedIn: SignedIn, tokens: AccessTokens): SessionReply {
  const { accessToken, expiresAt } = tokens.sign(signedIn);
  return {
    user: presentUser(signedIn),
    accessToken,
    refreshToken: signedIn.refreshToken,
    expiresAt: isoTime(expiresAt),
  };
}
