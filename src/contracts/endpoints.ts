import { type Static, Type } from 'typebox';
import { ENDPOINT_EVENTS, ENDPOINT_KINDS, ENDPOINT_STATUSES, MESSAGE_STATUSES } from '../model/endpoint.ts';
import { Id, IsoTime, NextCursor, nullable, PageQuery } from './shared.ts';

const FORM = {
  url: Type.String({ minLength: 1, maxLength: 2000 }),
  description: Type.String({ maxLength: 200 }),
  /** Null: everything. */
  events: nullable(Type.Array(Type.Enum(ENDPOINT_EVENTS), { minItems: 1, maxItems: 50 })),
} as const;

/** An outgoing webhook: where a workspace is told of what happens, signed as https://www.standardwebhooks.com has it. */
export const Endpoint = Type.Object({
  _id: Id,
  kind: Type.Enum(ENDPOINT_KINDS),
  /** A chat's address is a secret: only its host is shown. */
  ...FORM,
  status: Type.Enum(ENDPOINT_STATUSES),
  /** Why it was switched off, when that was not a person. */
  statusReason: nullable(Type.String()),
  /** First failure since the last success. */
  failingSince: nullable(IsoTime),
  createdAt: IsoTime,
});
export type Endpoint = Static<typeof Endpoint>;

export const EndpointsReply = Type.Object({
  endpoints: Type.Array(Endpoint),
  /** What can be subscribed to. */
  events: Type.Array(Type.Enum(ENDPOINT_EVENTS)),
});
export type EndpointsReply = Static<typeof EndpointsReply>;

export const EndpointReply = Type.Object({ endpoint: Endpoint });

export const CreateEndpointBody = Type.Object({
  /** `events` (default): what happened, signed · `chat`: alerts as `{ text }`, for Slack and what speaks like it. */
  kind: Type.Optional(Type.Enum(ENDPOINT_KINDS)),
  url: FORM.url,
  description: Type.Optional(FORM.description),
  /** Left out, or null: everything. A list names one event at least. */
  events: Type.Optional(FORM.events),
});
export type CreateEndpointBody = Static<typeof CreateEndpointBody>;

export const ChangeEndpointBody = Type.Object({
  ...Type.Partial(Type.Object(FORM)).properties,
  enabled: Type.Optional(Type.Boolean()),
});
export type ChangeEndpointBody = Static<typeof ChangeEndpointBody>;

/** `secret` is shown this once: receivers check signatures by it. */
export const EndpointSecretReply = Type.Object({ endpoint: Endpoint, secret: Type.String() });
export type EndpointSecretReply = Static<typeof EndpointSecretReply>;

/** One message in the delivery log. */
export const EndpointMessage = Type.Object({
  /** Also the `webhook-id` header: the same for every attempt. */
  _id: Id,
  type: Type.String(),
  /** Exactly what is sent. */
  body: Type.String(),
  status: Type.Enum(MESSAGE_STATUSES),
  attempts: Type.Integer(),
  lastStatus: nullable(Type.Integer()),
  lastError: nullable(Type.String()),
  lastMs: nullable(Type.Integer()),
  nextAt: nullable(IsoTime),
  createdAt: IsoTime,
  endedAt: nullable(IsoTime),
});
export type EndpointMessage = Static<typeof EndpointMessage>;

export const EndpointMessagesQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(Type.Enum(MESSAGE_STATUSES)),
});
export type EndpointMessagesQuery = Static<typeof EndpointMessagesQuery>;

export const EndpointMessagesReply = Type.Object({ messages: Type.Array(EndpointMessage), nextCursor: NextCursor });
export type EndpointMessagesReply = Static<typeof EndpointMessagesReply>;

export const EndpointTestReply = Type.Object({ messageId: Id });

export const MessageParams = Type.Object({ id: Id, messageId: Id });
