import { type Static, Type } from 'typebox';
import { Id } from './shared.ts';

/** Generous here; the rules and their words are the use case's (`accounts/take-contact-message.ts`). */
const Text = Type.String({ maxLength: 20_000 });

export const ContactBody = Type.Object({
  name: Type.Optional(Text),
  email: Type.Optional(Text),
  /** One of `CONTACT_TOPICS`. */
  subject: Type.Optional(Text),
  message: Type.Optional(Text),
});
export type ContactBody = Static<typeof ContactBody>;

export const ContactReply = Type.Object({ messageId: Id });
export type ContactReply = Static<typeof ContactReply>;
