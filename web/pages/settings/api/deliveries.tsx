import { useId } from 'react';
import {
  type Endpoint,
  type EndpointMessage,
  type MessageStatus,
  useMessages,
  useReplayMessage,
} from '../../../api/endpoints.ts';
import { wordsOf } from '../../../api/error-words.ts';
import { Button } from '../../../components/button.tsx';
import { Chip } from '../../../components/chip.tsx';
import { EmptyShelf } from '../../../components/empty-shelf.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { ShowMore } from '../../../components/show-more.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Status } from '../../../components/status.tsx';
import type { Tell } from '../../../components/toast.tsx';
import { formatDateTime, formatWhen } from '../../../hooks/format.ts';
import { useNow } from '../../../hooks/use-now.ts';
import { oneOf, useQueryState } from '../../../hooks/use-query-state.ts';
import css from './deliveries.module.css';
import { attemptWords, messageState } from './endpoint-words.ts';

const STATUSES: readonly MessageStatus[] = ['delivered', 'waiting', 'failed'];
const STATUS_LABEL = { delivered: 'Delivered', waiting: 'Waiting', failed: 'Failed' } as const;

/** JSON as people read it; what is none, as it came. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

interface DeliveriesProps {
  readonly endpoint: Endpoint;
  readonly tell: Tell;
}

function Delivery({ endpoint, message, tell }: DeliveriesProps & { readonly message: EndpointMessage }) {
  const now = useNow();
  const replay = useReplayMessage(endpoint._id);
  const isOff = endpoint.status === 'disabled';
  const state = messageState(message, now, isOff);
  const why = isOff
    ? 'The endpoint gets nothing while it is off. Resume it first.'
    : message.status === 'waiting'
      ? 'It is on its way already.'
      : null;
  return (
    <li className={css.item}>
      <details>
        <summary className={css.summary}>
          <span className={css.top}>
            <code>{message.type}</code>
            <time dateTime={message.createdAt} title={formatDateTime(message.createdAt)}>
              {formatWhen(message.createdAt)}
            </time>
          </span>
          <span className={css.below}>
            <Status tone={state.tone} small>
              {state.text}
            </Status>
            <span>{attemptWords(message)}</span>
          </span>
        </summary>
        <div className={css.more}>
          {message.lastError && message.lastStatus !== null && <p>{message.lastError}</p>}
          <p>
            Message <code>{message._id}</code>
          </p>
          {/* Long bodies are scrolled through, by keys as well. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to take the focus */}
          <section className={css.body} tabIndex={0} aria-label="What was sent">
            <pre>{pretty(message.body)}</pre>
          </section>
          <ReasonedButton
            size="sm"
            reason={why}
            busy={replay.isPending}
            onClick={() =>
              replay.mutate(message._id, {
                onSuccess: () => tell('success', 'It is sent again, with the same id.'),
                onError: (error) => tell('error', wordsOf(error, 'It could not be sent again. Please try again.')),
              })
            }
          >
            Send again
          </ReasonedButton>
        </div>
      </details>
    </li>
  );
}

/** What was sent to an endpoint in the last 30 days, newest first. */
export function Deliveries({ endpoint, tell }: DeliveriesProps) {
  const id = useId();
  const [params, change] = useQueryState();
  const status = oneOf(params.get('deliveries'), STATUSES) ?? undefined;
  const messages = useMessages(endpoint, status);
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={css.title}>
        Deliveries
      </h3>
      <p className={css.lead}>The last 30 days, newest first.</p>
      <div className={css.filters}>
        {STATUSES.map((value) => (
          <Chip
            key={value}
            pressed={status === value}
            onToggle={() => change({ deliveries: status === value ? null : value })}
          >
            {STATUS_LABEL[value]}
          </Chip>
        ))}
      </div>
      <QueryView
        query={messages}
        loading={<Skeleton type="list" count={3} />}
        failed="The deliveries could not be read."
      >
        {({ pages }) => {
          const list = pages.flatMap((page) => page.messages);
          if (list.length === 0)
            return (
              <EmptyShelf
                level={4}
                title={
                  status === undefined ? 'Nothing was sent yet' : `No ${STATUS_LABEL[status].toLowerCase()} delivery`
                }
                actions={status && <Button onClick={() => change({ deliveries: null })}>Clear filters</Button>}
              >
                {status === undefined && 'Send a test, or wait until something happens.'}
              </EmptyShelf>
            );
          return (
            <>
              <ul aria-label="Deliveries" className={css.list}>
                {list.map((message) => (
                  <Delivery key={message._id} endpoint={endpoint} message={message} tell={tell} />
                ))}
              </ul>
              <ShowMore query={messages}>Show more deliveries</ShowMore>
            </>
          );
        }}
      </QueryView>
    </section>
  );
}
