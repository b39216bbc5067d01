import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ContactMessageId } from '../../model/ids.ts';

/** What somebody wrote in the contact form. Nobody needs an account for it. */
export const contactMessage = sqliteTable(
  'contact_message',
  {
    id: text().$type<ContactMessageId>().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    /** One of `CONTACT_TOPICS`. */
    subject: text().notNull(),
    message: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('contact_message_created').on(t.createdAt)],
);
export type ContactMessageRow = typeof contactMessage.$inferSelect;
