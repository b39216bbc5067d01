import type { ContactBody, ContactReply } from '../../src/contracts/contact.ts';
import { call } from './request.ts';

/** Sends a letter to the people who run the instance. Throws `ApiError`. */
export function sendContactMessage(body: ContactBody): Promise<ContactReply> {
  return call('POST /api/contact', { body });
}
