import { MessageSquare, Webhook } from 'lucide-react';
import { type Endpoint, type EndpointMessage, useLatestMessages } from '../../../api/endpoints.ts';
import { Button } from '../../../components/button.tsx';
import { Status, ToneTile } from '../../../components/status.tsx';
import { formatAgo, formatDateTime } from '../../../hooks/format.ts';
import { useNow } from '../../../hooks/use-now.ts';
import { EndpointActions } from './endpoint-actions.tsx';
import css from './endpoint-row.module.css';
import { attemptWords, endpointName, endpointState, eventsWords, messageState } from './endpoint-words.ts';

const STEP = 6;
const BAR = 4;
const HEIGHT = 12;

/** The newest deliveries as bars, oldest left; what was not taken is short. The words beside it say the newest. */
function Strip({ messages }: { readonly messages: readonly EndpointMessage[] }) {
  return (
    <svg
      className={css.strip}
      viewBox={`0 0 ${messages.length * STEP} ${HEIGHT}`}
      width={messages.length * STEP}
      height={HEIGHT}
      aria-hidden="true"
    >
      {messages.toReversed().map(({ _id, status }, index) => {
        const height = status === 'delivered' ? HEIGHT : HEIGHT / 2;
        return (
          <rect
            key={_id}
            className={css[status]}
            x={index * STEP}
            y={HEIGHT - height}
            width={BAR}
            height={height}
            rx="1"
          />
        );
      })}
    </svg>
  );
}

function Latest({ endpoint, now }: { readonly endpoint: Endpoint; readonly now: number }) {
  const { data, error } = useLatestMessages(endpoint);
  const [newest] = data?.messages ?? [];
  if (data === undefined)
    return <p className={css.latest}>{error === null ? '\u00a0' : 'Its deliveries could not be read.'}</p>;
  if (newest === undefined) return <p className={css.latest}>Nothing was sent yet.</p>;
  const state = messageState(newest, now, endpoint.status === 'disabled');
  const at = newest.endedAt ?? newest.createdAt;
  return (
    <p className={css.latest}>
      <Strip messages={data.messages} />
      <span>
        Last message{' '}
        <time dateTime={at} title={formatDateTime(at)}>
          {formatAgo(at, now)}
        </time>
        : {state.text.toLowerCase()}. {newest.attempts > 0 && `${attemptWords(newest)}.`}
      </span>
    </p>
  );
}

interface EndpointRowProps {
  readonly endpoint: Endpoint;
  readonly isDemo: boolean;
  readonly onOpen: () => void;
}

export function EndpointRow({ endpoint, isDemo, onOpen }: EndpointRowProps) {
  const now = useNow();
  const name = endpointName(endpoint);
  const state = endpointState(endpoint, now);
  const Icon = endpoint.kind === 'chat' ? MessageSquare : Webhook;
  return (
    <li className={css.row}>
      <ToneTile tone={state.tone === 'ok' ? 'quiet' : state.tone} icon={<Icon />} />
      <div className={css.words}>
        <p className={css.top}>
          <span className={css.name}>{name}</span>
          <Status tone={state.tone} small>
            {state.text}
          </Status>
        </p>
        {endpoint.description.trim() !== '' && <p className={css.url}>{endpoint.url}</p>}
        <p className={css.events}>{eventsWords(endpoint)}</p>
        {endpoint.statusReason && <p className={css.reason}>{endpoint.statusReason}</p>}
        <Latest endpoint={endpoint} now={now} />
      </div>
      <div className={css.actions}>
        <EndpointActions endpoint={endpoint} isDemo={isDemo} />
        <Button size="sm" look="ghost" aria-label={`Open ${name}`} onClick={onOpen}>
          Open
        </Button>
      </div>
    </li>
  );
}
