import type { Tx } from '../../db/database.ts';
import { insertMessage } from '../../db/writers/endpoints.ts';
import { enqueueJob } from '../../db/writers/jobs.ts';
import { isoTime } from '../../lib/time.ts';
import { type EndpointId, ID_PREFIX, type MessageId, type WorkspaceId } from '../../model/ids.ts';
import { JOB_PRIORITY } from '../../model/job.ts';
import type { NotifyContext } from '../context.ts';

export const SEND_MESSAGE = 'send_message';
const CHAT_MESSAGE = 'chat.alert';

/** A message of an endpoint, in the transaction that its cause is seen in. */
export function enqueueMessage(
  ctx: NotifyContext,
  tx: Tx,
  endpoint: { readonly id: EndpointId; readonly workspaceId: WorkspaceId },
  message: { readonly type: string; readonly at: number; readonly data: unknown },
): MessageId {
  const body = JSON.stringify({ type: message.type, timestamp: isoTime(message.at), data: message.data });
  return insertAndEnqueue(ctx, tx, endpoint, message.type, body);
}

/** What Slack's markup begins and ends with. In the name of a product it is a letter: "<!channel>" would call everybody. */
const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A line of text for a chat, as Slack and what speaks like it take it. */
export function enqueueChat(
  ctx: NotifyContext,
  tx: Tx,
  endpoint: { readonly id: EndpointId; readonly workspaceId: WorkspaceId },
  text: string,
): MessageId {
  const escaped = text.replaceAll(/[&<>]/g, (sign) => MARKUP[sign] ?? sign);
  return insertAndEnqueue(ctx, tx, endpoint, CHAT_MESSAGE, JSON.stringify({ text: escaped }));
}

function insertAndEnqueue(
  ctx: NotifyContext,
  tx: Tx,
  endpoint: { readonly id: EndpointId; readonly workspaceId: WorkspaceId },
  type: string,
  body: string,
): MessageId {
  const id = ctx.random.id(ID_PREFIX.message) as MessageId;
  const now = ctx.clock.now();
  insertMessage(tx, {
    ...{ id, endpointId: endpoint.id, workspaceId: endpoint.workspaceId, type, body },
    status: 'waiting',
    attempts: 0,
    ...{ lastStatus: null, lastError: null, lastMs: null },
    nextAt: now,
    createdAt: now,
    endedAt: null,
  });
  enqueueSend(tx, endpoint.id, id, now);
  return id;
}

/** Messages of one endpoint share a lane, so that a slow receiver holds up nobody else. */
export function enqueueSend(tx: Tx, endpointId: EndpointId, messageId: MessageId, runAt: number): void {
  enqueueJob(tx, {
    key: `message:${messageId}`,
    task: SEND_MESSAGE,
    groupKey: endpointId,
    payload: { messageId },
    priority: JOB_PRIORITY.notify,
    runAt,
  });
}
