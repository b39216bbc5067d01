import { type UserError, userError } from '../graphql/api-error.ts';
import { idOfKind } from '../store/ids.ts';
import type { WebhookSubscriptionRecord } from '../store/records.ts';
import { isUsableFilter } from '../webhooks/filter.ts';
import type { Mutation, MutationContext } from './run-mutation.ts';

const ADDRESS_BYTES_MAX = 65_535;
const FIELD = 'webhookSubscription';

interface SubscriptionInput {
  readonly uri?: string | null;
  readonly callbackUrl?: string | null;
  readonly format?: 'JSON' | 'XML' | null;
  readonly filter?: string | null;
  readonly includeFields?: readonly string[] | null;
  readonly metafieldNamespaces?: readonly string[] | null;
  readonly name?: string | null;
}

/** Answers name the field `callbackUrl` whatever the input was called. */
function addressErrors(ctx: MutationContext, address: string): UserError[] {
  const refuse = (message: string) => [userError([FIELD, 'callbackUrl'], message)];
  if (address.trim() === '') return refuse("Address can't be blank");
  if (Buffer.byteLength(address) > ADDRESS_BYTES_MAX) return refuse('Address is too big (maximum is 64 KB)');
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address)?.[1]?.toLowerCase();
  if (scheme === undefined || !URL.canParse(address)) return refuse('Address is invalid');
  const url = new URL(address);
  if (scheme === 'http' && ctx.state.config.allowHttpWebhooks && isLoopback(url.hostname)) return [];
  if (scheme !== 'https') return refuse(`Address protocol ${scheme}:// is not supported`);
  if (/(^|\.)(shopify\.com|myshopify\.com|shopifycloud\.com)$/i.test(url.hostname))
    return refuse('Address cannot be a Shopify or an internal domain');
  return [];
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}

function inputErrors(
  ctx: MutationContext,
  topic: string,
  wanted: Pick<WebhookSubscriptionRecord, 'uri' | 'format' | 'filter' | 'name'>,
  self: WebhookSubscriptionRecord | null,
): UserError[] {
  const errors = addressErrors(ctx, wanted.uri);
  if (wanted.format === 'XML') {
    errors.push(userError([FIELD, 'format'], "Format 'xml' is invalid for this webhook topic. Allowed formats: json"));
  }
  const others = [...ctx.store.subscriptions.values()].filter((subscription) => subscription !== self);
  if (wanted.name !== null) {
    if (wanted.name === '') errors.push(userError([FIELD, 'name'], 'Name is too short (minimum is 1 character)'));
    if (!/^[A-Za-z0-9_-]+$/.test(wanted.name))
      errors.push(
        userError(
          [FIELD, 'name'],
          'Name name field can only contain alphanumeric characters, underscores, and hyphens',
        ),
      );
    if (others.some((other) => other.name?.toLowerCase() === wanted.name?.toLowerCase()))
      errors.push(userError([FIELD, 'name'], 'Name already exists, no duplicate allowed'));
  }
  if (wanted.filter !== null && Buffer.byteLength(wanted.filter) > ADDRESS_BYTES_MAX)
    errors.push(userError([FIELD], 'The specified filter exceeds the maximum allowed size.'));
  else if (wanted.filter !== null && wanted.filter.trim() !== '' && !isUsableFilter(wanted.filter)) {
    errors.push(
      userError(
        [FIELD],
        'The specified filter is invalid, please ensure you specify the field(s) you wish to filter on.',
      ),
    );
  }
  const isSame = (other: WebhookSubscriptionRecord) =>
    other.topic === topic &&
    other.uri === wanted.uri &&
    other.format === wanted.format &&
    (other.filter ?? '') === (wanted.filter ?? '');
  if (others.some(isSame))
    errors.push(userError([FIELD, 'callbackUrl'], 'Address for this topic has already been taken'));
  return errors;
}

export const webhookSubscriptionCreate: Mutation = {
  run(args: { readonly topic: string; readonly webhookSubscription: SubscriptionInput }, ctx) {
    const input = args.webhookSubscription;
    const wanted = {
      uri: (input.uri ?? input.callbackUrl ?? '').trim(),
      format: input.format ?? ('JSON' as const),
      filter: input.filter ?? null,
      name: input.name ?? null,
    };
    const userErrors = inputErrors(ctx, args.topic, wanted, null);
    if (userErrors.length > 0) return { webhookSubscription: null, userErrors };
    const subscription: WebhookSubscriptionRecord = {
      type: 'WebhookSubscription',
      id: ctx.store.newId('WebhookSubscription'),
      topic: args.topic,
      ...wanted,
      includeFields: [...(input.includeFields ?? [])],
      metafieldNamespaces: [...(input.metafieldNamespaces ?? [])],
      apiVersion: ctx.apiVersion,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    };
    ctx.store.subscriptions.set(subscription.id, subscription);
    return { webhookSubscription: subscription, userErrors: [] };
  },
};

export const webhookSubscriptionUpdate: Mutation = {
  run(args: { readonly id: string; readonly webhookSubscription: SubscriptionInput }, ctx) {
    const subscription = ctx.store.subscriptions.get(idOfKind('WebhookSubscription', args.id));
    if (!subscription)
      return { webhookSubscription: null, userErrors: [userError(['id'], 'Webhook subscription does not exist')] };
    const input = args.webhookSubscription;
    const given = input.uri ?? input.callbackUrl;
    const wanted = {
      uri: given === undefined || given === null ? subscription.uri : given.trim(),
      format: input.format ?? subscription.format,
      filter: input.filter === undefined ? subscription.filter : input.filter,
      name: input.name === undefined ? subscription.name : input.name,
    };
    const userErrors = inputErrors(ctx, subscription.topic, wanted, subscription);
    if (userErrors.length > 0) return { webhookSubscription: null, userErrors };
    Object.assign(subscription, wanted);
    if (input.includeFields) subscription.includeFields = [...input.includeFields];
    if (input.metafieldNamespaces) subscription.metafieldNamespaces = [...input.metafieldNamespaces];
    subscription.updatedAt = ctx.now;
    return { webhookSubscription: subscription, userErrors: [] };
  },
};

export const webhookSubscriptionDelete: Mutation = {
  run(args: { readonly id: string }, ctx) {
    const existed = ctx.store.subscriptions.delete(idOfKind('WebhookSubscription', args.id));
    if (existed) return { deletedWebhookSubscriptionId: args.id, userErrors: [] };
    return {
      deletedWebhookSubscriptionId: null,
      userErrors: [userError(['id'], 'Webhook subscription does not exist')],
    };
  },
};
