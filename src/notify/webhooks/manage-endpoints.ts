import { transact } from '../../db/database.ts';
import { findMessage, listEndpoints } from '../../db/readers/endpoints.ts';
import { latestEventSeq } from '../../db/readers/events.ts';
import type { EndpointRow } from '../../db/schema/endpoint.ts';
import { deleteEndpoint, insertEndpoint, updateEndpoint, updateMessage } from '../../db/writers/endpoints.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { type EndpointEvent, type EndpointKind, TEST_EVENT } from '../../model/endpoint.ts';
import { type EndpointId, ID_PREFIX, type MessageId, type WorkspaceId } from '../../model/ids.ts';
import { Refusal } from '../../model/refusal.ts';
import type { NotifyContext } from '../context.ts';
import { collectMessages } from './collect-messages.ts';
import { enqueueChat, enqueueMessage, enqueueSend } from './enqueue-message.ts';
import { enqueueWaiting } from './send-waiting.ts';
import { newSecret } from './sign-message.ts';

/** Of one workspace: each event is stored and sent once for each. */
const ENDPOINTS_MAX = 20;
/** How long messages are signed with the old secret too after it was changed. */
const OVERLAP_MS = 24 * HOUR_MS;

export interface EndpointForm {
  readonly kind: EndpointKind;
  readonly url: string;
  readonly description: string;
  /** Empty: everything. A chat gets alerts, whatever stands here. */
  readonly events: readonly EndpointEvent[];
}

const urlContext = (id: EndpointId): string => `endpoint.url:${id}`;
export const secretContext = (id: EndpointId): string => `endpoint.secret:${id}`;

/** Makes an endpoint that is told of what happens from now on. `secret` is shown this once. Throws a Refusal: VALIDATION, ENDPOINT_LIMIT. */
export function createEndpoint(
  ctx: NotifyContext,
  workspaceId: WorkspaceId,
  form: EndpointForm,
): { readonly endpoint: EndpointRow; readonly secret: string } {
  checkUrl(ctx, form.url);
  const id = ctx.random.id(ID_PREFIX.endpoint) as EndpointId;
  const secret = newSecret();
  const endpoint = transact(ctx.db, (tx) => {
    if (listEndpoints(tx, workspaceId).length >= ENDPOINTS_MAX)
      throw new Refusal(
        'ENDPOINT_LIMIT',
        `A workspace has at most ${ENDPOINTS_MAX} webhook endpoints. Delete one first.`,
      );
    const row: EndpointRow = {
      ...{ id, workspaceId },
      url: ctx.cipher.seal(form.url, urlContext(id)),
      ...{ kind: form.kind, description: form.description, events: [...new Set(form.events)] },
      secret: ctx.cipher.seal(secret, secretContext(id)),
      ...{ secretPrevious: null, secretPreviousUntil: null },
      ...{ status: 'enabled', statusReason: null, failingSince: null },
      seenSeq: latestEventSeq(tx),
      createdAt: ctx.clock.now(),
    };
    insertEndpoint(tx, row);
    return row;
  });
  return { endpoint, secret };
}

/** Changes an endpoint. One that is switched on again is told of what happens from then on, and what waited is sent. */
export function changeEndpoint(
  ctx: NotifyContext,
  endpoint: EndpointRow,
  change: Partial<Omit<EndpointForm, 'kind'>> & { readonly enabled?: boolean },
): void {
  const { enabled, url, ...form } = change;
  if (url !== undefined) checkUrl(ctx, url);
  // What has happened until now is told as it was asked for until now.
  collectMessages(ctx);
  transact(ctx.db, (tx) => {
    const now = ctx.clock.now();
    const isSwitchedOn = enabled === true && endpoint.status === 'disabled';
    updateEndpoint(tx, endpoint.id, {
      ...form,
      // Another address has not failed yet.
      ...(url === undefined ? {} : { url: ctx.cipher.seal(url, urlContext(endpoint.id)), failingSince: null }),
      // What it was not asked for until now it is not told afterwards.
      ...(form.events === undefined ? {} : { seenSeq: latestEventSeq(tx) }),
      ...(enabled === false ? { status: 'disabled' as const, statusReason: null } : {}),
      ...(isSwitchedOn
        ? { status: 'enabled' as const, statusReason: null, failingSince: null, seenSeq: latestEventSeq(tx) }
        : {}),
    });
    if (isSwitchedOn) enqueueWaiting(tx, endpoint.id, now);
  });
}

export function removeEndpoint(ctx: NotifyContext, id: EndpointId): void {
  transact(ctx.db, (tx) => deleteEndpoint(tx, id, ctx.clock.now()));
}

/** A new secret, shown this once; for a day messages carry a signature by each. */
export function rotateEndpointSecret(ctx: NotifyContext, endpoint: EndpointRow): string {
  const secret = newSecret();
  transact(ctx.db, (tx) =>
    updateEndpoint(tx, endpoint.id, {
      secret: ctx.cipher.seal(secret, secretContext(endpoint.id)),
      secretPrevious: endpoint.secret,
      secretPreviousUntil: ctx.clock.now() + OVERLAP_MS,
    }),
  );
  return secret;
}

/** Sends a message that says that it is a test. Throws a Refusal: ENDPOINT_DISABLED. */
export function testEndpoint(ctx: NotifyContext, endpoint: EndpointRow): MessageId {
  mustBeEnabled(endpoint);
  const message = 'This is a test. Nothing has happened.';
  return transact(ctx.db, (tx) =>
    endpoint.kind === 'chat'
      ? enqueueChat(ctx, tx, endpoint, message)
      : enqueueMessage(ctx, tx, endpoint, { type: TEST_EVENT, at: ctx.clock.now(), data: { message } }),
  );
}

/** Sends a message again, with the same id and body: its receiver can tell that it is the same. Throws a Refusal: NOT_FOUND, ENDPOINT_DISABLED. */
export function replayMessage(ctx: NotifyContext, endpoint: EndpointRow, id: MessageId): void {
  mustBeEnabled(endpoint);
  transact(ctx.db, (tx) => {
    const message = findMessage(tx, id);
    if (message === null || message.endpointId !== endpoint.id)
      throw new Refusal('NOT_FOUND', 'There is no such message.');
    const now = ctx.clock.now();
    updateMessage(tx, id, { status: 'waiting', attempts: 0, nextAt: now, endedAt: null });
    enqueueSend(tx, endpoint.id, id, now);
  });
}

function checkUrl(ctx: NotifyContext, url: string): void {
  const message = ctx.poster.refuses(url);
  if (message !== null) throw new Refusal('VALIDATION', message, { fields: [{ field: 'url', message }] });
}

function mustBeEnabled(endpoint: EndpointRow): void {
  if (endpoint.status === 'enabled') return;
  throw new Refusal('ENDPOINT_DISABLED', 'This endpoint is switched off. Switch it on first.');
}

/** The address as it may be shown: a chat's is a secret but for its host. */
export function shownUrl(
  ctx: Pick<NotifyContext, 'cipher'>,
  endpoint: Pick<EndpointRow, 'id' | 'kind' | 'url'>,
): string {
  const url = openUrl(ctx, endpoint);
  return endpoint.kind === 'chat' ? `${new URL(url).origin}/…` : url;
}

export function openUrl(ctx: Pick<NotifyContext, 'cipher'>, { id, url }: Pick<EndpointRow, 'id' | 'url'>): string {
  return ctx.cipher.open(url, urlContext(id));
}
