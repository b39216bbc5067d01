/** What an outgoing webhook can be asked to tell, by its public name. */
export const ENDPOINT_EVENTS = [
  'stock.changed',
  'stock.counted',
  'stock.written',
  'stock.oversold',
  'field.changed',
  'product.written',
  'product.deleted',
  'product.restored',
  'conflict.opened',
  'conflict.resolved',
  'problem.raised',
  'plan.ready',
  'plan.failed',
  'run.started',
  'run.completed',
  'run.failed',
  'run.cancelled',
  'pair.halted',
  'pair.paused',
  'pair.resumed',
  'store.error',
  'store.recovered',
  'usage.alert',
] as const;
export type EndpointEvent = (typeof ENDPOINT_EVENTS)[number];

/** Sent when a person asks for it, whatever the endpoint is subscribed to. */
export const TEST_EVENT = 'endpoint.test';

/** `events`: what happened, for programs, signed · `chat`: alerts as a line of text, for Slack and what speaks like it. */
export const ENDPOINT_KINDS = ['events', 'chat'] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

export const MESSAGE_STATUSES = ['waiting', 'delivered', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];
