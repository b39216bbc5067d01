import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { UserId } from '../../model/ids.ts';

/** A person. What someone may do in a workspace is their membership; `role` is about the instance. */
export const user = sqliteTable(
  'user',
  {
    id: text().$type<UserId>().primaryKey(),
    /** Sealed: email, names, company, time zone, notification choices (`accounts/profile.ts`). */
    profile: text().notNull(),
    /** What an address is found by: a keyed hash, which tells nothing without the instance's key. */
    emailIndex: text('email_index').notNull(),
    /** `scrypt$N$r$p$salt$hash`; '' for a demo visitor or a person who signs in elsewhere, whom no password opens. */
    passwordHash: text('password_hash').notNull(),
    role: text().$type<'user' | 'admin'>().notNull(),
    isDemo: integer('is_demo', { mode: 'boolean' }).notNull(),
    verifiedAt: integer('verified_at'),
    /** Secret of the authenticator app, sealed; it counts once `totpEnabledAt` is set. */
    totpSecret: text('totp_secret'),
    totpEnabledAt: integer('totp_enabled_at'),
    /** Time step of the last code that was taken: no code is good twice. */
    totpLastStep: integer('totp_last_step'),
    /** Consent to the newsletter: when and where it was given; both null without it or after it was withdrawn. */
    newsletterAt: integer('newsletter_at'),
    newsletterSource: text('newsletter_source'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [uniqueIndex('user_email').on(t.emailIndex)],
);
export type UserRow = typeof user.$inferSelect;
