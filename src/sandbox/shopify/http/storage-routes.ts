import type { FastifyInstance } from 'fastify';
import { BULK_RESULT_PATH } from '../fields/shop-fields.ts';
import { UPLOAD_PATH } from '../mutations/staged-uploads.ts';
import { type RouteParts, sendFault } from './graphql-route.ts';
import { parseMultipart } from './multipart.ts';

const UPLOAD_BYTES_MAX = 101 * 1024 * 1024;

/** What stands for Shopify's cloud storage: staged uploads go in, bulk results come out. Neither asks for a token. */
export function addStorageRoutes(app: FastifyInstance, { state, faults }: RouteParts): void {
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: UPLOAD_BYTES_MAX },
    (_request, body, done) => done(null, body),
  );

  app.post(UPLOAD_PATH, { bodyLimit: UPLOAD_BYTES_MAX }, async (request, reply) => {
    const fault = faults.pick({ kind: 'upload', operation: 'upload', rootFields: [], variables: {} });
    if (fault) return sendFault(state, fault, reply);
    const xml = (status: number, code: string) =>
      reply
        .status(status)
        .type('application/xml')
        .send(`<?xml version='1.0' encoding='UTF-8'?><Error><Code>${code}</Code></Error>`);
    const parts = Buffer.isBuffer(request.body)
      ? parseMultipart(request.body, request.headers['content-type'] ?? '')
      : null;
    const last = parts?.at(-1);
    if (!parts || last?.name !== 'file') return xml(400, 'InvalidArgument');
    const key = parts.find((part) => part.name === 'key')?.content.toString('utf8');
    if (key === undefined || !state.uploads.has(key)) return xml(403, 'AccessDenied');
    state.uploads.set(key, last.content);
    return reply
      .status(201)
      .type('application/xml')
      .send(`<?xml version='1.0' encoding='UTF-8'?><PostResponse><Key>${key}</Key></PostResponse>`);
  });

  app.get(`${BULK_RESULT_PATH}/:file`, async (request, reply) => {
    const fault = faults.pick({ kind: 'download', operation: 'download', rootFields: [], variables: {} });
    if (fault) return sendFault(state, fault, reply);
    const id = Number(/^(\d+)\.jsonl$/.exec((request.params as { file: string }).file)?.[1]);
    const operation = state.store.bulkOperations.get(id);
    if (!operation?.result)
      return reply.status(404).type('application/xml').send('<Error><Code>NoSuchKey</Code></Error>');
    return reply.type('application/jsonl').send(operation.result);
  });
}
