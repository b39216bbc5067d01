import type { ContactBody, ContactReply } from '../../src/contracts/contact.ts';
import { request } from './request.ts';

/** Sends a letter to the people who run the instance. Throws `ApiError`. */
export function sendContactMessage(body: ContactBody): Promise<ContactReply> {
  return request<ContactReply>('/contact', { method: 'POST', body });
}
