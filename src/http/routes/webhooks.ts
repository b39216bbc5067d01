import type { Socket } from 'node:net';
import { Type } from 'typebox';
import { isSourceAllowed } from '../../accounts/webhook-sources.ts';
import { Id, Ok } from '../../contracts/shared.ts';
import { findStore } from '../../db/readers/pairs.ts';
import { isInRanges } from '../../lib/address-range.ts';
import { unreachable } from '../../lib/assert.ts';
import type { StoreId } from '../../model/ids.ts';
import { DELIVERY_BYTES_MAX } from '../../model/signal.ts';
import { AppError } from '../app-error.ts';
import { addressOf } from '../caller-address.ts';
import type { HttpDeps } from '../deps.ts';
import { HEADERS_WITHOUT_ROUTE } from '../plugins/security-headers.ts';
import type { Server } from '../types.ts';

const EMPTY = new Uint8Array(0);

/** In a scope of its own, where no parser touches the bytes: signatures are over what was sent. */
export function webhookRoutes(scope: Server, deps: HttpDeps): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: DELIVERY_BYTES_MAX }, (_request, body, done) => {
    done(null, body);
  });

  scope.post(
    '/api/webhooks/:storeId',
    {
      schema: { params: Type.Object({ storeId: Id }), response: { 200: Ok } },
      bodyLimit: DELIVERY_BYTES_MAX,
      config: { rateLimit: false, isRaw: true },
      // A shop's server reads the status and nothing else, a thousand times a second: what browsers are told is said in few words.
      helmet: false,
      // Before a byte of the body is taken in: nobody is asked who they are here.
      onRequest: async (request, reply) => {
        reply.headers(HEADERS_WITHOUT_ROUTE);
        const storeId = request.params.storeId as StoreId;
        const store = findStore(deps.db, storeId);
        if (store === null || store.status === 'disconnected') throw unknownStore();
        // The made-up shops run in this process, and their ids are given to every visitor.
        if (store.isSandbox && !isFromHere(addressOf(request), request.socket)) throw new AppError('SOURCE_REFUSED');
        if (!isSourceAllowed(deps.db, storeId, addressOf(request))) throw new AppError('SOURCE_REFUSED');
      },
      errorHandler: (error, request) => {
        if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
          deps.engine.noteLargeDelivery((request.params as { storeId: StoreId }).storeId);
        throw error;
      },
    },
    async (request) => {
      const storeId = request.params.storeId as StoreId;
      const body = request.body instanceof Uint8Array ? request.body : EMPTY;
      const headers = plainHeaders(request.headers);
      const outcome = await deps.engine.acceptDelivery(storeId, { headers, body });
      switch (outcome) {
        case 'stored':
        case 'duplicate':
        case 'ping':
          return { ok: true as const };
        case 'not_authentic':
          throw new AppError('NOT_AUTHENTIC');
        case 'unknown_store':
          throw unknownStore();
        default:
          return unreachable(outcome);
      }
    },
  );
}

/** From this machine: by its loopback address, or by the one that the server was told to listen at. */
function isFromHere(ip: string, { localAddress = '' }: Socket): boolean {
  return isInRanges(ip, ['127.0.0.0/8', '::1', localAddress]);
}

function unknownStore(): AppError {
  return new AppError('NOT_FOUND', 'There is no such store.');
}

function plainHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') plain[name] = value;
  }
  return plain;
}
