/** Ids are branded strings with a prefix, so that one kind can't be passed for another. */
declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

export type WorkspaceId = Id<'workspace'>;
export type UserId = Id<'user'>;
export type StoreId = Id<'store'>;
export type PairId = Id<'pair'>;
export type ProductId = Id<'product'>;
export type VariantId = Id<'variant'>;
export type RunId = Id<'run'>;
export type PlanId = Id<'plan'>;
export type ConflictId = Id<'conflict'>;
export type ProblemId = Id<'problem'>;
export type InvitationId = Id<'invitation'>;
export type ApiTokenId = Id<'apiToken'>;
export type EndpointId = Id<'endpoint'>;
export type MessageId = Id<'message'>;
export type ContactMessageId = Id<'contactMessage'>;

export const ID_PREFIX = {
  workspace: 'ws_',
  user: 'usr_',
  store: 'str_',
  pair: 'pair_',
  product: 'prd_',
  variant: 'var_',
  run: 'run_',
  plan: 'plan_',
  scan: 'scan_',
  conflict: 'cfl_',
  problem: 'prb_',
  invitation: 'inv_',
  apiToken: 'tok_',
  mail: 'mail_',
  endpoint: 'whe_',
  message: 'msg_',
  contactMessage: 'ltr_',
} as const;
