import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { UserId } from '../../model/ids.ts';

/** A person. What someone may do in a workspace is their membership; `role` is about the instance. */
export const user = sqliteTable(
  'user',
  {
    id: text().$type<UserId>().primaryKey(),
    /** As it was typed. */
    email: text().notNull(),
    /** What it is compared by: NFC, trimmed, lower case. */
    emailKey: text('email_key').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    company: text().notNull(),
    /** `scrypt$N$r$p$salt$hash`; '' for a demo visitor, whom no password opens. */
    passwordHash: text('password_hash').notNull(),
    role: text().$type<'user' | 'admin'>().notNull(),
    isDemo: integer('is_demo', { mode: 'boolean' }).notNull(),
    verifiedAt: integer('verified_at'),
    /** Consent to the newsletter: when and where it was given; both null without it or after it was withdrawn. */
    newsletterAt: integer('newsletter_at'),
    newsletterSource: text('newsletter_source'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [uniqueIndex('user_email').on(t.emailKey)],
);
export type UserRow = typeof user.$inferSelect;
