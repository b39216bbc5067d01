import {
  DemoActionBody,
  DemoActionReply,
  DemoDataRemovedReply,
  DemoDataReply,
  DemoSessionReply,
  ShelvesReply,
} from '../../contracts/demo.ts';
import { DEMO_IDLE_MINUTES, type DemoService } from '../../demo/demo-service.ts';
import type { ShelfAction } from '../../demo/shelf.ts';
import { unreachable } from '../../lib/assert.ts';
import { isoTime } from '../../lib/time.ts';
import type { AccessTokens } from '../access-token.ts';
import { AppError, found, invalidField } from '../app-error.ts';
import type { HttpDeps } from '../deps.ts';
import { deviceOf } from '../device.ts';
import { requireOwnOrigin } from '../own-origin.ts';
import { caller } from '../plugins/authentication.ts';
import { STRICT_LIMITS } from '../plugins/rate-limits.ts';
import { presentSession } from '../present/user.ts';
import { setRefreshCookie } from '../refresh-cookie.ts';
import type { Server } from '../types.ts';

const QUANTITY_AT_ONCE_MAX = 1_000;
const PRICE_MINOR_MAX = 10_000_000;
const TITLE_LENGTH_MAX = 120;

export function demoRoutes(server: Server, deps: HttpDeps, tokens: AccessTokens): void {
  const service = (): DemoService => {
    if (deps.demo === null) throw new AppError('NOT_FOUND', 'The demo is switched off on this instance.');
    return deps.demo;
  };

  server.post(
    '/api/demo/session',
    { schema: { response: { 201: DemoSessionReply } }, config: STRICT_LIMITS.demo },
    async (request, reply) => {
      // An empty POST passes without a preflight, and its answer would take the place of the visitor's own session.
      requireOwnOrigin(request, deps.publicUrl);
      const opened = await service().open(deviceOf(request));
      setRefreshCookie(request, reply, opened, deps.publicUrl);
      return reply.code(201).send({
        ...presentSession(opened, tokens),
        demo: {
          pairId: opened.pairId,
          woocommerceStoreId: opened.storeIds.woocommerce,
          shopifyStoreId: opened.storeIds.shopify,
          runId: opened.runId,
          idleMinutes: DEMO_IDLE_MINUTES,
          expiresAt: isoTime(opened.expiresAt),
        },
      });
    },
  );

  server.post(
    '/api/demo/data',
    { schema: { response: { 201: DemoDataReply } }, config: STRICT_LIMITS.demo },
    async (request, reply) => {
      const { pairId, stores, runId, expiresAt } = await service().load(
        caller(request).workspace.id,
        deviceOf(request),
      );
      return reply.code(201).send({
        demoData: {
          ...{ pairId, stores: [...stores], runId },
          idleMinutes: DEMO_IDLE_MINUTES,
          expiresAt: isoTime(expiresAt),
        },
      });
    },
  );

  server.delete('/api/demo/data', { schema: { response: { 200: DemoDataRemovedReply } } }, async (request) => {
    const removed = await service().unload(caller(request).workspace.id);
    if (removed === null) throw new AppError('NOT_FOUND', 'There is no demo data in this workspace.');
    return { removed };
  });

  server.get('/api/demo/shelves', { schema: { response: { 200: ShelvesReply } } }, async (request) => {
    const { pairId, shelves } = found(service().shelves(caller(request).workspace.id), 'sandbox');
    const { woocommerce, shopify } = shelves;
    return {
      pairId,
      woocommerce: { ...woocommerce, items: [...woocommerce.items] },
      shopify: { ...shopify, items: [...shopify.items] },
    };
  });

  server.post(
    '/api/demo/actions',
    { schema: { body: DemoActionBody, response: { 200: DemoActionReply } } },
    async (request) => {
      const { side } = request.body;
      const item = service().act(caller(request).workspace.id, side, actionOf(request.body));
      return { side, item: found(item, 'sandbox'), at: isoTime(deps.clock.now()) };
    },
  );
}

function actionOf({ action, sku, value }: DemoActionBody): ShelfAction {
  switch (action) {
    case 'sell':
    case 'restock':
      return { type: action, sku, quantity: integer(value ?? 1, 1, QUANTITY_AT_ONCE_MAX) };
    case 'edit_price':
      return { type: action, sku, priceMinor: integer(value, 0, PRICE_MINOR_MAX) };
    case 'edit_title': {
      const title = typeof value === 'string' ? value.trim() : '';
      if (title === '' || title.length > TITLE_LENGTH_MAX) {
        throw invalidField('value', `value: send a title of 1 to ${TITLE_LENGTH_MAX} characters`);
      }
      return { type: action, sku, title };
    }
    default:
      return unreachable(action);
  }
}

function integer(value: unknown, min: number, max: number): number {
  if (typeof value === 'number' && value >= min && value <= max) return value;
  throw invalidField('value', `value: send a whole number from ${min} to ${max}`);
}
