import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, onRequestAsyncHookHandler, RawServerDefault } from 'fastify';
import type { Principal } from '../accounts/open-session.ts';
import type { KnownRoute } from './plugins/authentication.ts';
import type { Policy } from './policy.ts';

/** Our Fastify: routes infer their types from TypeBox schemas. */
export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; null on public routes. */
    principal: Principal | null;
    /** The claim of an Idempotency-Key whose answer is to be kept. */
    idempotencyId: string | null;
  }
  interface FastifyInstance {
    /** Every route that was registered. */
    knownRoutes: readonly KnownRoute[];
  }
  interface FastifyContextConfig {
    policy?: Policy;
    /** Counts a request to it; undefined: it is free. */
    countOne?: onRequestAsyncHookHandler;
    /** Its body or address is looked at by something else than a schema. */
    isRaw?: boolean;
  }
}
