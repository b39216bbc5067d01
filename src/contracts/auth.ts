import { type Static, Type } from 'typebox';
import { WORKSPACE_ROLES } from '../model/role.ts';
import { Id, IsoTime, nullable } from './shared.ts';

export const USER_ROLES = ['user', 'admin'] as const;

export const Notifications = Type.Object({
  email: Type.Boolean(),
  syncAlerts: Type.Boolean(),
  billingAlerts: Type.Boolean({
    description: 'Emails about usage that comes near a limit or passes it. Nothing is billed in this version.',
  }),
  weeklyReports: Type.Boolean(),
});

/** The person as the browser keeps it (storage key `user`). */
export const User = Type.Object({
  id: Id,
  email: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  name: Type.String(),
  company: Type.String(),
  role: Type.Enum(USER_ROLES),
  isVerified: Type.Boolean(),
  isDemo: Type.Boolean(),
  hasTwoFactor: Type.Boolean(),
  timezone: Type.String(),
  notifications: Notifications,
  isSubscribedToNewsletter: Type.Boolean(),
  createdAt: IsoTime,
  workspace: Type.Object({ _id: Id, name: Type.String(), role: Type.Enum(WORKSPACE_ROLES) }),
});
export type User = Static<typeof User>;

const Text = Type.String({ maxLength: 1000 });

/**
 * The sign-up form. Every field is optional here, because its rules and their words are the specification's
 * (`accounts/sign-up.ts`) and not a schema's.
 */
export const SignUpBody = Type.Object({
  firstName: Type.Optional(Text),
  lastName: Type.Optional(Text),
  email: Type.Optional(Text),
  company: Type.Optional(nullable(Text)),
  password: Type.Optional(Text),
  confirmPassword: Type.Optional(Text),
  agreeToTerms: Type.Optional(Type.Boolean()),
  subscribeToNewsletter: Type.Optional(Type.Boolean()),
  setupToken: Type.Optional(Text),
  /** From the link of an invitation. */
  invitation: Type.Optional(Text),
});
export type SignUpBody = Static<typeof SignUpBody>;

/** The email may come as `email` or, from a client of the specification, as `username`. */
export const LoginBody = Type.Object({
  email: Type.Optional(Text),
  username: Type.Optional(Text),
  password: Type.Optional(Text),
  rememberMe: Type.Optional(Type.Boolean()),
  /** Asked for with `TWO_FACTOR_REQUIRED`: from the authenticator app, or a recovery code. Send the whole form again with it. */
  code: Type.Optional(Type.String({ maxLength: 64 })),
});
export type LoginBody = Static<typeof LoginBody>;

/** The refresh token is also set as an httpOnly cookie: a browser has no need to keep the one in the body. */
export const SessionReply = Type.Object({
  user: User,
  accessToken: Type.String(),
  refreshToken: Type.String(),
  /** Of the access token. */
  expiresAt: IsoTime,
});
export type SessionReply = Static<typeof SessionReply>;

/** The cookie is used when the body has no `refreshToken`. */
export const RefreshBody = nullable(Type.Object({ refreshToken: Type.Optional(Type.String({ maxLength: 512 })) }));
export type RefreshBody = Static<typeof RefreshBody>;

/** A token from the link of an email. */
export const MailedTokenBody = Type.Object({ token: Type.String({ minLength: 1, maxLength: 128 }) });

export const ForgotPasswordBody = Type.Object({ email: Text });

export const ResetPasswordBody = Type.Object({ ...MailedTokenBody.properties, password: Text });

/** Who is signed in shows once more that it is them, for protected actions of the next ten minutes. */
export const ProveBody = Type.Object({
  password: Type.Optional(Text),
  code: Type.Optional(Type.String({ maxLength: 64 })),
});

export const ProveReply = Type.Object({ provedUntil: IsoTime });

export const MeReply = Type.Object({ user: User });
export type MeReply = Static<typeof MeReply>;

export const SIGNUP_MODES = ['first', 'open', 'invite'] as const;

/** What a sign-in page needs to know before anyone is signed in. */
export const InstanceReply = Type.Object({
  version: Type.String(),
  isDemoAvailable: Type.Boolean(),
  signup: Type.Enum(SIGNUP_MODES),
  /** Whether the sign-up form would be accepted now. */
  isSignupOpen: Type.Boolean(),
  /** No account exists yet: the next one owns the instance. */
  isFirstRun: Type.Boolean(),
  isSetupTokenRequired: Type.Boolean(),
  /** False: emails are kept in the outbox, which the instance's owner reads. */
  isMailSent: Type.Boolean(),
  /** What the button of the other way to sign in says (GET /api/auth/oidc/start); null: there is none. */
  identityProvider: nullable(Type.String()),
});
export type InstanceReply = Static<typeof InstanceReply>;
