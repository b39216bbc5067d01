import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ContactMessageId } from '../../model/ids.ts';

/** What somebody wrote in the contact form. Nobody needs an account for it. */
export const contactMessage = sqliteTable(
  'contact_message',
  {
    id: text().$type<ContactMessageId>().primaryKey(),
    /** One of `CONTACT_TOPICS`. */
    subject: text().notNull(),
    /** Sealed: name, email and message. */
    letter: text().notNull(),
    /** Keyed hash of the letter: the same one sent twice is one. */
    letterIndex: text('letter_index').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('contact_message_created').on(t.createdAt)],
);
export type ContactMessageRow = typeof contactMessage.$inferSelect;
