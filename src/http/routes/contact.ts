import { takeContactMessage } from '../../accounts/take-contact-message.ts';
import { ContactBody, ContactReply } from '../../contracts/contact.ts';
import { addressOf } from '../caller-address.ts';
import type { HttpDeps } from '../deps.ts';
import { BODY_BYTES_MAX } from '../plugins/body-budget.ts';
import { STRICT_LIMITS } from '../plugins/rate-limits.ts';
import type { Server } from '../types.ts';

export function contactRoutes(server: Server, { accounts, outbox }: HttpDeps): void {
  server.post(
    '/api/contact',
    {
      schema: { body: ContactBody, response: { 201: ContactReply } },
      bodyLimit: BODY_BYTES_MAX,
      config: STRICT_LIMITS.contact,
    },
    async (request, reply) => {
      const messageId = takeContactMessage(accounts, request.body, addressOf(request), outbox.send !== null);
      return reply.code(201).send({ messageId });
    },
  );
}
