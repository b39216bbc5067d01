import type { Endpoint, EndpointEvent, EndpointMessage } from '../../../api/endpoints.ts';
import type { Tone } from '../../../components/status.tsx';
import { formatDuration, formatIn, formatWhen, plural } from '../../../hooks/format.ts';

export const EVENT_TEXT: Readonly<Record<EndpointEvent, string>> = {
  'stock.changed': 'A store has another stock than before',
  'stock.counted': 'Somebody entered a count here',
  'stock.written': 'Stock was written to a store',
  'stock.oversold': 'More was sold than there was',
  'field.changed': 'A title, price or another field changed',
  'product.written': 'A product was written to a store',
  'product.deleted': 'A product was deleted in a store',
  'product.restored': 'A deleted product is back',
  'conflict.opened': 'Both stores changed the same field',
  'conflict.resolved': 'A conflict was resolved',
  'problem.raised': 'Something failed or was refused',
  'plan.ready': 'A plan can be looked at',
  'plan.failed': 'A plan could not be made',
  'run.started': 'A sync began',
  'run.completed': 'A sync is finished',
  'run.failed': 'A sync failed',
  'run.cancelled': 'A sync was cancelled',
  'pair.halted': 'A pair was halted for safety',
  'pair.paused': 'A pair was paused',
  'pair.resumed': 'A pair goes on',
  'store.error': 'A store can not be worked with',
  'store.recovered': 'A store can be worked with again',
  'usage.alert': 'A limit of usage comes near or is passed',
};

const GROUP_LABEL: Readonly<Record<string, string>> = {
  stock: 'Stock',
  field: 'Products',
  product: 'Products',
  conflict: 'Conflicts and problems',
  problem: 'Conflicts and problems',
  plan: 'Plans and runs',
  run: 'Plans and runs',
  pair: 'Pairs and stores',
  store: 'Pairs and stores',
  usage: 'Usage',
};

/** What can be subscribed to, as the server lists it, in groups by what it is about. */
export function groupEvents(
  events: readonly EndpointEvent[],
): readonly { readonly label: string; readonly events: readonly EndpointEvent[] }[] {
  const groups = new Map<string, EndpointEvent[]>();
  for (const event of events) {
    const label = GROUP_LABEL[event.split('.')[0] ?? ''] ?? 'Other';
    groups.set(label, [...(groups.get(label) ?? []), event]);
  }
  return [...groups].map(([label, list]) => ({ label, events: list }));
}

/** How many names a row has room for. */
const NAMED_MAX = 3;

export function eventsWords({ kind, events }: Pick<Endpoint, 'kind' | 'events'>): string {
  if (kind === 'chat') return 'Alerts, as a line of text';
  if (events === null) return 'Everything that happens';
  if (events.length <= NAMED_MAX) return events.join(', ');
  return `${events.slice(0, NAMED_MAX - 1).join(', ')} and ${events.length - NAMED_MAX + 1} more`;
}

interface State {
  readonly tone: Tone;
  readonly text: string;
}

export function endpointState(
  { status, statusReason, failingSince }: Pick<Endpoint, 'status' | 'statusReason' | 'failingSince'>,
  nowMs: number,
): State {
  if (status === 'disabled')
    return statusReason === null ? { tone: 'quiet', text: 'Paused' } : { tone: 'bad', text: 'Switched off' };
  if (failingSince !== null)
    return { tone: 'warn', text: `Failing since ${formatWhen(failingSince, new Date(nowMs))}` };
  return { tone: 'ok', text: 'On' };
}

export function messageState(
  { status, attempts, nextAt }: Pick<EndpointMessage, 'status' | 'attempts' | 'nextAt'>,
  nowMs: number,
  isPaused = false,
): State {
  if (status === 'delivered') return { tone: 'ok', text: 'Delivered' };
  if (status === 'failed') return { tone: 'bad', text: 'Failed' };
  if (isPaused) return { tone: 'quiet', text: 'Waits until resumed' };
  if (attempts === 0) return { tone: 'running', text: 'On its way' };
  return { tone: 'warn', text: nextAt === null ? 'Tried again' : `Next try ${formatIn(nextAt, nowMs)}` };
}

/** What came of the last attempt: "HTTP 200 in 38 ms", or why there was no answer. */
export function attemptWords({
  attempts,
  lastStatus,
  lastError,
  lastMs,
}: Pick<EndpointMessage, 'attempts' | 'lastStatus' | 'lastError' | 'lastMs'>): string {
  if (attempts === 0) return 'Not tried yet';
  const tries = attempts === 1 ? '' : `, ${plural(attempts, 'attempt')}`;
  const time = lastMs === null ? '' : ` in ${formatDuration(lastMs)}`;
  return lastStatus === null
    ? `${(lastError ?? 'No answer').replace(/\.$/, '')}${tries}`
    : `HTTP ${lastStatus}${time}${tries}`;
}

/** How an endpoint is called: by its description, or else by its address without what is always the same. */
export function endpointName({ description, url }: Pick<Endpoint, 'description' | 'url'>): string {
  return description.trim() || url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

export const URL_MAX = 2000;
export const DESCRIPTION_MAX = 200;

export interface EndpointForm {
  readonly kind: Endpoint['kind'];
  readonly url: string;
  readonly description: string;
  readonly isEverything: boolean;
  readonly events: readonly EndpointEvent[];
}

export const EMPTY_ENDPOINT: EndpointForm = {
  kind: 'events',
  url: '',
  description: '',
  isEverything: true,
  events: [],
};

/** A chat's address is a secret that the server keeps: it is only typed anew. */
export function formOf({ kind, url, description, events }: Endpoint): EndpointForm {
  return { kind, url: kind === 'chat' ? '' : url, description, isEverything: events === null, events: events ?? [] };
}

export function checkEndpoint(
  form: EndpointForm,
  { isNew }: { readonly isNew: boolean },
): { readonly url?: string; readonly events?: string } {
  const mayKeepUrl = !isNew && form.kind === 'chat';
  return {
    ...(form.url.trim() === '' && !mayKeepUrl ? { url: 'Enter the address that is to be called.' } : {}),
    ...(form.kind === 'events' && !form.isEverything && form.events.length === 0
      ? { events: 'Choose one kind of event at least, or everything.' }
      : {}),
  };
}

function eventsOf({ kind, isEverything, events }: EndpointForm): EndpointEvent[] | null {
  return kind === 'chat' || isEverything ? null : [...events];
}

export function bodyOf(form: EndpointForm) {
  return {
    ...{ kind: form.kind, url: form.url.trim(), description: form.description.trim() },
    ...(form.kind === 'chat' ? {} : { events: eventsOf(form) }),
  };
}

/** Only what was changed: an address that is sent anew counts as one that has not failed yet. */
export function changeOf(form: EndpointForm, endpoint: Endpoint) {
  const events = eventsOf(form);
  const isOther = (events ?? []).toSorted().join() !== (endpoint.events ?? []).toSorted().join();
  const url = form.url.trim();
  return {
    ...(url !== '' && url !== endpoint.url ? { url } : {}),
    ...(form.description.trim() !== endpoint.description ? { description: form.description.trim() } : {}),
    ...(form.kind === 'events' && isOther ? { events } : {}),
  };
}
