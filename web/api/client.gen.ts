/** A client for the API of Twinshelf, made from its description (/api/openapi.json). Do not edit: fetch it again (/api/client.ts). */

export interface AccountExportReply {
  exportedAt: string;
  account: Record<string, unknown>;
  workspaces: Record<string, unknown>[];
  sessions: Record<string, unknown>[];
  actions: Record<string, unknown>[];
}

export interface Activity {
  seq: number;
  type: string;
  level: 'info' | 'warning' | 'error';
  text: string;
  pairId: string | null;
  payload: unknown;
  at: string;
}

export interface ActivityReply {
  activity: Activity[];
  filterCounts: { all: number; orders: number; products: number; errors: number };
  lastSeq: number;
  nextCursor: string | null;
}

export interface Alert {
  kind: AlertKind;
  message: string;
  count: number;
  raisedAt: string;
  dueAt: string;
  sentAt: string | null;
  emailCount: number;
  chatCount: number;
}

export type AlertKind =
  | 'sync_failed'
  | 'store_unreachable'
  | 'pair_halted'
  | 'oversold'
  | 'conflict_waiting'
  | 'usage';

export type AlertMode = 'now' | 'digest' | 'off';

export interface AlertSettings {
  rules: {
    sync_failed: AlertMode;
    store_unreachable: AlertMode;
    pair_halted: AlertMode;
    oversold: AlertMode;
    conflict_waiting: AlertMode;
    usage: AlertMode;
  };
  quietHours: { from: number; to: number } | null;
  digestAt: number;
  timeZone: string;
}

export interface AlertSettingsReply {
  settings: AlertSettings;
}

export interface AlertsReply {
  settings: AlertSettings;
  recent: Alert[];
}

export interface AnalyticsBucket {
  at: string;
  syncs: number;
  failedSyncs: number;
  changes: number;
  conflicts: number;
  problems: number;
}

export interface AnalyticsReply {
  analytics: {
    period: 'day' | 'week' | 'month';
    since: string;
    until: string;
    buckets: AnalyticsBucket[];
  };
}

export interface ApiTokenBody {
  name: string;
  scope: TokenScope;
  expiresInDays?: number | null;
}

export interface ApiTokenView {
  _id: string;
  name: string;
  scope: TokenScope;
  hint: string;
  userId: string;
  isYours: boolean;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
}

export interface ApiTokensReply {
  tokens: ApiTokenView[];
}

export interface ApplyPlanBody {
  hash: string;
}

export interface AuditReply {
  entries: AuditView[];
  nextCursor: string | null;
}

export interface AuditView {
  seq: number;
  at: string;
  action: string;
  target: string | null;
  actorId: string | null;
  actorName: string;
  apiTokenId: string | null;
  ip: string;
  userAgent: string;
  change: Record<string, unknown>;
}

export type BackupReason = 'daily' | 'before_upgrade' | 'before_restore' | 'by_hand';

export interface BackupReply {
  backup: BackupView;
}

export interface BackupView {
  name: string;
  reason: BackupReason;
  madeAt: string;
  sizeBytes: number;
}

export interface BackupsReply {
  backups: BackupView[];
  directory: string;
  dailyKept: number;
  nextDailyAt: string | null;
  isMaking: boolean;
  lastFailure: { at: string; text: string } | null;
}

export interface Change {
  seq: number;
  recordId: string;
  variantId: string | null;
  field: string;
  origin: Platform | null;
  target: Platform | null;
  from: unknown;
  to: unknown;
  cause: string;
  runId: string | null;
  at: string;
}

export interface ChangeAlertsBody {
  rules?: {
    sync_failed?: AlertMode;
    store_unreachable?: AlertMode;
    pair_halted?: AlertMode;
    oversold?: AlertMode;
    conflict_waiting?: AlertMode;
    usage?: AlertMode;
  };
  quietHours?: { from: number; to: number } | null;
  digestAt?: number;
  timeZone?: string;
}

export interface ChangeEndpointBody {
  url?: string;
  description?: string;
  events?: EndpointEvent[] | null;
  enabled?: boolean;
}

export interface ChangePasswordBody {
  currentPassword: string;
  newPassword: string;
  confirmPassword?: string;
}

export interface Conflict {
  _id: string;
  pairId: string;
  recordId: string;
  recordTitle: string;
  sku: string;
  imageUrl: string;
  field: string;
  variantLabel: string | null;
  side: Platform;
  base: unknown;
  hub: unknown;
  remote: unknown;
  woocommerce: unknown;
  agreed: unknown;
  shopify: unknown;
  currency: string | null;
  version: number;
  state: 'open' | 'closed';
  resolution: string | null;
  openedAt: string;
  closedAt: string | null;
}

export type ConflictPolicy = 'newest' | 'oldest' | 'manual' | 'woocommerce' | 'shopify';

export interface ConflictReply {
  conflict: Conflict;
}

export interface ConflictsReply {
  conflicts: Conflict[];
  total: number;
  nextCursor: string | null;
}

export interface ConnectStoreBody {
  name?: string;
  platform: Platform;
  url?: string;
  shopDomain?: string;
  consumerKey?: string;
  consumerSecret?: string;
  accessToken?: string;
  apiSecret?: string;
  clientId?: string;
  clientSecret?: string;
}

export interface ConnectStoreReply {
  store: Store;
  findings: Finding[];
}

export type ConnectionStatus = 'healthy' | 'error' | 'unknown';

export interface ContactBody {
  name?: string;
  email?: string;
  subject?: string;
  message?: string;
}

export interface ContactReply {
  messageId: string;
}

export interface CountStockBody {
  variantId: string;
  quantity: number;
  countedAt?: string;
}

export interface CountStockReply {
  from: number;
  quantity: number;
  seenSince: number;
}

export interface CreateEndpointBody {
  kind?: EndpointKind;
  url: string;
  description?: string;
  events?: EndpointEvent[] | null;
}

export interface CreatePairBody {
  woocommerceStoreId: string;
  shopifyStoreId: string;
  syncDirection?: DirectionAccepted;
  syncSchedule?: Schedule;
  syncProducts?: boolean;
  syncPrices?: boolean;
  syncInventory?: boolean;
  stockTwoWay?: boolean;
  enforce?: boolean;
  conflictResolution?: ConflictPolicy;
  preferredSide?: Platform;
  createOn?: { woocommerce: boolean; shopify: boolean };
  deletePolicy?: 'archive' | 'keep';
  stockBuffer?: number;
  stockCap?: number | null;
  shopifyLocationId?: string | null;
  linkRule?: LinkRule;
  stockLinkRule?: StockLinkRule;
  allowZeroStockLink?: boolean;
  syncInterval?: 5 | 15 | 30 | 60 | 360;
  rateLimit?: number;
  retryAttempts?: 1 | 3 | 5;
  enableLogging?: boolean;
  autoSync?: boolean;
  syncOrders?: boolean;
  syncCustomers?: boolean;
  fieldMapping?: { syncImages?: boolean; syncInventory?: boolean; syncOrders?: boolean };
}

export interface DeleteAccountBody {
  password: string;
  code?: string;
}

export interface DemoActionBody {
  side: Platform;
  action: 'sell' | 'restock' | 'edit_price' | 'edit_title';
  sku: string;
  value?: number | string;
}

export interface DemoActionReply {
  side: Platform;
  item: ShelfItem;
  at: string;
}

export interface DemoDataRemovedReply {
  removed: { stores: number; pairs: number };
}

export interface DemoDataReply {
  demoData: {
    pairId: string;
    stores: Array<{ storeId: string; name: string; platform: Platform }>;
    runId: string | null;
    idleMinutes: number;
    expiresAt: string;
  };
}

export interface DemoSessionReply {
  user: User;
  accessToken: string;
  refreshToken: string;
  expiresAt: string;
  demo: {
    pairId: string;
    woocommerceStoreId: string;
    shopifyStoreId: string;
    runId: string | null;
    idleMinutes: number;
    expiresAt: string;
  };
}

export type Direction = 'bidirectional' | 'woocommerce_to_shopify' | 'shopify_to_woocommerce';

export type DirectionAccepted =
  | 'bidirectional'
  | 'woocommerce_to_shopify'
  | 'shopify_to_woocommerce'
  | 'woocommerce-to-shopify'
  | 'shopify-to-woocommerce';

export interface EndedReply {
  count: number;
}

export interface Endpoint {
  _id: string;
  kind: EndpointKind;
  url: string;
  description: string;
  events: EndpointEvent[] | null;
  status: EndpointStatus;
  statusReason: string | null;
  failingSince: string | null;
  createdAt: string;
}

export type EndpointEvent =
  | 'stock.changed'
  | 'stock.counted'
  | 'stock.written'
  | 'stock.oversold'
  | 'field.changed'
  | 'product.written'
  | 'product.deleted'
  | 'product.restored'
  | 'conflict.opened'
  | 'conflict.resolved'
  | 'problem.raised'
  | 'plan.ready'
  | 'plan.failed'
  | 'run.started'
  | 'run.completed'
  | 'run.failed'
  | 'run.cancelled'
  | 'pair.halted'
  | 'pair.paused'
  | 'pair.resumed'
  | 'store.error'
  | 'store.recovered'
  | 'usage.alert';

export type EndpointKind = 'events' | 'chat';

export interface EndpointMessage {
  _id: string;
  type: string;
  body: string;
  status: MessageStatus;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  lastMs: number | null;
  nextAt: string | null;
  createdAt: string;
  endedAt: string | null;
}

export interface EndpointMessagesReply {
  messages: EndpointMessage[];
  nextCursor: string | null;
}

export interface EndpointReply {
  endpoint: Endpoint;
}

export interface EndpointSecretReply {
  endpoint: Endpoint;
  secret: string;
}

export type EndpointStatus = 'enabled' | 'disabled';

export interface EndpointsReply {
  endpoints: Endpoint[];
  events: EndpointEvent[];
}

export interface ErasureReply {
  deletedWorkspaces: Array<{ _id: string; name: string }>;
  leftWorkspaces: Array<{ _id: string; name: string }>;
  blockedWorkspaces: Array<{ _id: string; name: string }>;
  isLastAdmin: boolean;
}

export interface ErrorReply {
  error: { code: string; message: string; details: Record<string, unknown>; requestId: string };
}

export interface Finding {
  code: string;
  level: 'ok' | 'warning' | 'error';
  message: string;
  remedy: string;
}

export interface ForgotPasswordBody {
  email: string;
}

export type HaltReason =
  | 'empty_listing'
  | 'shrunken_listing'
  | 'mass_delete'
  | 'mass_draft'
  | 'mass_zero'
  | 'mass_price_cut';

export interface HealthReply {
  status: 'ok' | 'starting' | 'stopping' | 'storage_failed';
  version: string;
}

export interface HeartbeatBar {
  runId: string;
  status: RunStatus;
  records: number;
  failed: number;
  at: string;
}

export interface HistoryReply {
  syncLogs: Run[];
  total: number;
  nextCursor: string | null;
}

export interface InstanceReply {
  version: string;
  isDemoAvailable: boolean;
  signup: 'first' | 'open' | 'invite';
  isSignupOpen: boolean;
  isFirstRun: boolean;
  isSetupTokenRequired: boolean;
  isMailSent: boolean;
  identityProvider: string | null;
}

export interface InstanceRoleBody {
  role: 'user' | 'admin';
}

export interface InstanceUserReply {
  user: InstanceUserView;
}

export interface InstanceUserView {
  _id: string;
  name: string;
  email: string;
  role: 'user' | 'admin';
  isVerified: boolean;
  hasTwoFactor: boolean;
  workspaceCount: number;
  lastActiveAt: string | null;
  createdAt: string;
}

export interface InstanceUsersReply {
  users: InstanceUserView[];
}

export interface InvitationPreviewReply {
  workspaceName: string;
  inviterName: string;
  email: string;
  role: WorkspaceRole;
  expiresAt: string;
  hasAccount: boolean;
}

export interface InvitationReply {
  invitation: InvitationView;
}

export interface InvitationView {
  _id: string;
  email: string;
  role: WorkspaceRole;
  createdAt: string;
  expiresAt: string;
}

export interface InvitationsReply {
  invitations: InvitationView[];
}

export interface InviteBody {
  email: string;
  role: WorkspaceRole;
}

export type LinkRule = 'woocommerce' | 'shopify' | 'fill_blanks';

export interface LoginBody {
  email?: string;
  username?: string;
  password?: string;
  rememberMe?: boolean;
  code?: string;
}

export interface MailedTokenBody {
  token: string;
}

export interface ManualSyncBody {
  pairId?: string;
  storeId?: string;
}

export interface MeReply {
  user: User;
}

export interface MemberRoleBody {
  role: WorkspaceRole;
}

export interface MemberView {
  userId: string;
  name: string;
  email: string;
  role: WorkspaceRole;
  isYou: boolean;
  hasTwoFactor: boolean;
  since: string;
}

export interface MembersReply {
  members: MemberView[];
}

export type MessageStatus = 'waiting' | 'delivered' | 'failed';

export interface MoveStoreBody {
  url?: string;
  shopDomain?: string;
  consumerKey?: string;
  consumerSecret?: string;
  accessToken?: string;
  apiSecret?: string;
  clientId?: string;
  clientSecret?: string;
}

export interface NeedsYou {
  type: 'halted' | 'store_error' | 'conflicts' | 'problems' | 'plan_ready' | 'setup';
  text: string;
  count: number;
  pairId: string | null;
  storeId: string | null;
  planId: string | null;
}

export interface NewApiTokenReply {
  token: ApiTokenView;
  secret: string;
}

export interface Notifications {
  email: boolean;
  syncAlerts: boolean;
  billingAlerts: boolean;
  weeklyReports: boolean;
}

export interface OpenIdCodeBody {
  code: string;
}

export interface OpenIdLinkReply {
  url: string;
}

export interface OpenIdReply {
  name: string | null;
  isConnected: boolean;
  hasPassword: boolean;
}

export interface OutboxMailReply {
  mail: OutboxMailView;
  text: string;
}

export interface OutboxMailView {
  _id: string;
  kind: string;
  to: string;
  subject: string;
  state: OutboxState;
  attempts: number;
  lastError: string | null;
  createdAt: string;
  sentAt: string | null;
}

export interface OutboxReply {
  mails: OutboxMailView[];
  nextCursor: string | null;
  isMailSent: boolean;
}

export type OutboxState = 'held' | 'queued' | 'sent' | 'failed';

export interface OverviewReply {
  usage: {
    ordersSyncedToday: number | null;
    ordersThisMonth: number | null;
    apiCallsThisMonth: number;
    syncsThisMonth: number;
    monthlyUsage: number | null;
    meters: UsageMeter[];
  };
  stats: {
    uptime: number | null;
    avgResponseTime: number | null;
    totalProducts: number;
    changesToday: number;
    recordsLevel: number;
    openConflicts: number;
    openProblems: number;
  };
  needsYou: NeedsYou[];
  stores: Store[];
  pairs: Array<{ pair: Pair; heartbeat: HeartbeatBar[] }>;
  unpairedStoreIds: string[];
  syncLogs: Run[];
}

export interface Pair {
  _id: string;
  status: PairStatus;
  halt: PairHalt | null;
  isSandbox: boolean;
  woocommerceStoreId: string;
  shopifyStoreId: string;
  woocommerce: PairStore;
  shopify: PairStore;
  settings: PairSettings;
  currency: string | null;
  counts: {
    records: number;
    level: number;
    conflicts: number;
    problems: number;
    pending: number;
  };
  runningRunId: string | null;
  openPlanId: string | null;
  linkedAt: string | null;
  lastSyncAt: string | null;
  accuracy: { compared: number; equal: number; at: string } | null;
  createdAt: string;
}

export interface PairHalt {
  reason: HaltReason;
  side: Platform;
  count: number;
  limit: number;
  at: string;
  message: string;
}

export interface PairReply {
  pair: Pair;
  notices: string[];
}

export interface PairSettings {
  syncDirection: Direction;
  syncSchedule: Schedule;
  syncProducts: boolean;
  syncPrices: boolean;
  syncInventory: boolean;
  stockTwoWay: boolean;
  enforce: boolean;
  conflictResolution: ConflictPolicy;
  preferredSide: Platform;
  createOn: { woocommerce: boolean; shopify: boolean };
  deletePolicy: 'archive' | 'keep';
  stockBuffer: number;
  stockCap: number | null;
  shopifyLocationId: string | null;
  linkRule: LinkRule;
  stockLinkRule: StockLinkRule;
  allowZeroStockLink: boolean;
  syncInterval: 5 | 15 | 30 | 60 | 360;
  rateLimit: number;
  retryAttempts: 1 | 3 | 5;
  enableLogging: boolean;
}

export interface PairSettingsBody {
  syncDirection?: DirectionAccepted;
  syncSchedule?: Schedule;
  syncProducts?: boolean;
  syncPrices?: boolean;
  syncInventory?: boolean;
  stockTwoWay?: boolean;
  enforce?: boolean;
  conflictResolution?: ConflictPolicy;
  preferredSide?: Platform;
  createOn?: { woocommerce: boolean; shopify: boolean };
  deletePolicy?: 'archive' | 'keep';
  stockBuffer?: number;
  stockCap?: number | null;
  shopifyLocationId?: string | null;
  linkRule?: LinkRule;
  stockLinkRule?: StockLinkRule;
  allowZeroStockLink?: boolean;
  syncInterval?: 5 | 15 | 30 | 60 | 360;
  rateLimit?: number;
  retryAttempts?: 1 | 3 | 5;
  enableLogging?: boolean;
  autoSync?: boolean;
  syncOrders?: boolean;
  syncCustomers?: boolean;
  fieldMapping?: { syncImages?: boolean; syncInventory?: boolean; syncOrders?: boolean };
}

export type PairStatus = 'setup' | 'linking' | 'active' | 'paused' | 'halted';

export interface PairStore {
  _id: string;
  name: string;
  domain: string;
  status: string;
  connectionStatus: string;
}

export interface PairSuggestion {
  woocommerceStoreId: string | null;
  shopifyStoreId: string | null;
}

export interface PairsReply {
  pairs: Pair[];
  suggestions: PairSuggestion[];
}

export interface Plan {
  _id: string;
  pairId: string;
  status: PlanStatus;
  hash: string | null;
  progress: number;
  counts: PlanCounts;
  currency: string | null;
  error: { code: string; message: string } | null;
  createdAt: string;
  readyAt: string | null;
  runId: string | null;
}

export type PlanAction = 'link' | 'create' | 'update' | 'archive' | 'ambiguous' | 'skip' | 'none';

export interface PlanCounts {
  woocommerce: { create: number; update: number; archive: number; stock: number };
  shopify: { create: number; update: number; archive: number; stock: number };
  linked: number;
  level: number;
  ambiguous: number;
  skipped: number;
  conflicts: number;
  unlike: number;
  read: { woocommerce: number; shopify: number };
}

export interface PlanItem {
  seq: number;
  action: PlanAction;
  side: Platform | null;
  title: string;
  sku: string;
  imageUrl: string;
  reason: string;
  recordId: string | null;
  woocommerceId: string | null;
  shopifyId: string | null;
  fields: PlannedField[];
  stock: PlannedStock[];
  conflicts: number;
  unlike: { woocommerce: string; shopify: string } | null;
  refused: Array<{ side: Platform; message: string }>;
  candidates: Array<{ side: Platform; externalId: string; title: string }>;
}

export interface PlanReply {
  plan: Plan;
}

export type PlanStatus = 'planning' | 'ready' | 'nothing_to_do' | 'failed' | 'applied' | 'discarded';

export interface PlanWithItems {
  _id: string;
  pairId: string;
  status: PlanStatus;
  hash: string | null;
  progress: number;
  counts: PlanCounts;
  currency: string | null;
  error: { code: string; message: string } | null;
  createdAt: string;
  readyAt: string | null;
  runId: string | null;
  items: PlanItem[];
  itemCount: number;
  actionCounts: {
    link?: number;
    create?: number;
    update?: number;
    archive?: number;
    ambiguous?: number;
    skip?: number;
    none?: number;
  };
  nextCursor: string | null;
}

export interface PlanWithItemsReply {
  plan: PlanWithItems;
}

export interface PlannedField {
  side: Platform;
  field: string;
  from: unknown;
  to: unknown;
}

export interface PlannedStock {
  label: string;
  woocommerce: number | null;
  shopify: number | null;
  result: number | null;
  rule: string;
  only?: Platform;
}

export type Platform = 'woocommerce' | 'shopify';

export interface PriceView {
  regularMinor: number | null;
  saleMinor: number | null;
}

export interface Problem {
  _id: string;
  pairId: string | null;
  storeId: string | null;
  recordId: string | null;
  recordTitle: string | null;
  side: Platform | null;
  subject: string;
  code: string;
  level: 'warning' | 'error';
  message: string;
  remedy: string;
  details: unknown;
  count: number;
  state: 'open' | 'closed';
  firstAt: string;
  lastAt: string;
}

export interface ProblemsReply {
  problems: Problem[];
  total: number;
  nextCursor: string | null;
}

export interface ProductFieldsView {
  title: string;
  descriptionHtml: string;
  status: ProductStatus;
  tags: string[];
  optionNames: string[];
  handle: string;
}

export type ProductStatus = 'active' | 'draft' | 'unlisted' | 'archived';

export interface ProveBody {
  password?: string;
  code?: string;
}

export interface ProveReply {
  provedUntil: string;
}

export interface QueueReply {
  queue: {
    ready: number;
    waiting: number;
    executing: number;
    retrying: number;
    oldestReadyAt: string | null;
    byTask: Record<string, number>;
  };
}

export interface RecordReply {
  record: {
    _id: string;
    pairId: string;
    title: string;
    sku: string;
    imageUrl: string;
    status: ProductStatus;
    state: RecordState;
    variantCount: number;
    quantity: number | null;
    woocommerceId: string | null;
    shopifyId: string | null;
    updatedAt: string;
    currency: string | null;
    hub: { fields: ProductFieldsView; variants: VariantView[] };
    woocommerce: RecordSide | null;
    shopify: RecordSide | null;
    conflicts: Conflict[];
    problems: Problem[];
  };
  changes: Change[];
  nextCursor: string | null;
}

export interface RecordSide {
  side: Platform;
  storeId: string;
  externalId: string | null;
  adminUrl: string;
  currency: string | null;
  fields: ProductFieldsView;
  variants: VariantView[];
  apart: string[];
  isPending: boolean;
  fencedUntil: string | null;
}

export type RecordState = 'level' | 'pending' | 'conflict' | 'failed' | 'unlinked' | 'deleted';

export interface RecordSummary {
  _id: string;
  pairId: string;
  title: string;
  sku: string;
  imageUrl: string;
  status: ProductStatus;
  state: RecordState;
  variantCount: number;
  quantity: number | null;
  woocommerceId: string | null;
  shopifyId: string | null;
  updatedAt: string;
}

export interface RecordsReply {
  records: RecordSummary[];
  stateCounts: {
    level: number;
    pending: number;
    conflict: number;
    failed: number;
    unlinked: number;
    deleted: number;
  };
  nextCursor: string | null;
}

export interface RecoveryCodesReply {
  recoveryCodes: string[];
}

export type RefreshBody = { refreshToken?: string } | null;

export interface RenewKeysBody {
  consumerKey?: string;
  consumerSecret?: string;
  accessToken?: string;
  apiSecret?: string;
  clientId?: string;
  clientSecret?: string;
}

export interface ResetPasswordBody {
  token: string;
  password: string;
}

export interface ResolveConflictBody {
  choice: 'hub' | 'remote' | 'value' | 'woocommerce' | 'shopify' | 'agreed';
  expectedVersion: number;
  value?: unknown;
}

export interface ResolveConflictsBody {
  choices: Array<{
    conflictId: string;
    version: number;
    choice: 'hub' | 'remote' | 'woocommerce' | 'shopify' | 'agreed';
  }>;
}

export interface ResolveConflictsReply {
  results: Array<{
    conflictId: string;
    outcome: 'done' | 'refused';
    code: string | null;
    message: string | null;
  }>;
}

export interface Run {
  _id: string;
  pairId: string;
  planId: string | null;
  storeName: string;
  entityType: 'orders' | 'products' | 'inventory' | 'customers' | 'all';
  direction: Direction;
  trigger: RunTrigger;
  status: RunStatus;
  progress: number;
  stats: RunStats;
  duration: number | null;
  error: { code: string; message: string } | null;
  isCancelRequested: boolean;
  createdAt: string;
  finishedAt: string | null;
}

export interface RunDetailReply {
  run: Run;
  currency: string | null;
  items: RunItem[];
  outcomeCounts: {
    written?: number;
    unchanged?: number;
    skipped?: number;
    failed?: number;
    moved?: number;
  };
  nextCursor: string | null;
}

export interface RunItem {
  subject: string;
  recordId: string | null;
  title: string;
  action: string;
  outcome: RunItemOutcome;
  detail: string | null;
  writes: RunWrite[];
  writeCount: number;
  at: string;
}

export type RunItemOutcome = 'written' | 'unchanged' | 'skipped' | 'failed' | 'moved';

export interface RunReply {
  run: Run;
}

export interface RunStats {
  totalProcessed: number;
  successful: number;
  failed: number;
  written: number;
  skipped: number;
}

export type RunStatus = 'running' | 'completed' | 'failed' | 'cancelled';

export type RunTrigger = 'manual' | 'scheduled' | 'realtime' | 'reconcile' | 'initial';

export interface RunWrite {
  field: string;
  side: Platform;
  variantLabel: string | null;
  from: unknown;
  to: unknown;
}

export type Schedule = 'manual' | 'realtime' | 'hourly' | 'daily' | 'weekly';

export interface SessionReply {
  user: User;
  accessToken: string;
  refreshToken: string;
  expiresAt: string;
}

export interface SessionView {
  _id: string;
  ip: string;
  userAgent: string;
  isCurrent: boolean;
  isRemembered: boolean;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
}

export interface SessionsReply {
  sessions: SessionView[];
}

export interface ShelfItem {
  sku: string;
  title: string;
  variant: string;
  priceMinor: number | null;
  currency: string;
  stock: number | null;
}

export interface ShelvesReply {
  pairId: string;
  woocommerce: { storeId: string; name: string; items: ShelfItem[] };
  shopify: { storeId: string; name: string; items: ShelfItem[] };
}

export interface SignUpBody {
  firstName?: string;
  lastName?: string;
  email?: string;
  company?: string | null;
  password?: string;
  confirmPassword?: string;
  agreeToTerms?: boolean;
  subscribeToNewsletter?: boolean;
  setupToken?: string;
  invitation?: string;
}

export type StockLinkRule = 'woocommerce' | 'shopify' | 'smaller' | 'sum';

export interface Store {
  _id: string;
  name: string;
  platform: Platform;
  domain: string;
  url: string;
  status: StoreStatus;
  statusReason: string | null;
  isSandbox: boolean;
  currency: string | null;
  timeZone: string | null;
  platformVersion: string | null;
  locations: StoreLocation[];
  health: StoreHealth;
  syncStats: { totalProducts: number; totalOrders: number | null; lastSync: string | null };
  pairIds: string[];
  webhookSources: string[];
  findings: Finding[];
  createdAt: string;
}

export interface StoreHealth {
  connectionStatus: ConnectionStatus;
  lastContactAt: string | null;
  lastErrorAt: string | null;
  lastErrorKind: string | null;
  callCount: number;
  failureCount: number;
  throttledCount: number;
  latencyP50Ms: number | null;
  latencyP99Ms: number | null;
  webhooksCheckedAt: string | null;
}

export interface StoreLocation {
  id: string;
  name: string;
  isActive: boolean;
}

export interface StoreReply {
  store: Store;
}

export interface StoreStatsReply {
  stats: {
    totalProducts: number;
    totalOrders: number | null;
    linkedProducts: number;
    lastSync: string | null;
    openProblems: number;
    openConflicts: number;
    deliveriesToday: number;
    changesToday: number;
    health: StoreHealth;
  };
}

export type StoreStatus = 'connected' | 'error' | 'disconnected';

export interface StoresReply {
  stores: Store[];
  total: number;
  nextCursor: string | null;
}

export interface SwitchReply {
  user: User;
  accessToken: string;
  expiresAt: string;
}

export interface SyncStatsReply {
  stats: {
    period: 'day' | 'week' | 'month';
    since: string;
    total: number;
    completed: number;
    failed: number;
    cancelled: number;
    running: number;
    recordsProcessed: number;
    recordsWritten: number;
    recordsFailed: number;
    changes: number;
    averageDurationMs: number | null;
  };
}

export interface TestStoreReply {
  store: Store;
  findings: Finding[];
  isOk: boolean;
}

export type TokenScope = 'read' | 'operate' | 'manage';

export interface TwoFactorBeginReply {
  secret: string;
  address: string;
}

export interface UpdateStoreBody {
  name?: string;
  webhookSources?: string[] | null;
  syncProducts?: unknown;
  syncOrders?: unknown;
  syncInventory?: unknown;
  syncPrices?: unknown;
  syncCustomers?: unknown;
  autoSync?: unknown;
  syncInterval?: unknown;
  conflictResolution?: unknown;
  enableLogging?: unknown;
}

export interface UpdateStoreReply {
  store: Store;
  notices: string[];
}

export type UsageKind = 'api_calls';

export type UsageLevel = 'warning' | 'exceeded';

export interface UsageMeter {
  kind: UsageKind;
  label: string;
  period: 'hour' | 'month';
  count: number;
  limit: number | null;
  level: UsageLevel | null;
}

export interface User {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  name: string;
  company: string;
  role: 'user' | 'admin';
  isVerified: boolean;
  isDemo: boolean;
  hasTwoFactor: boolean;
  timezone: string;
  notifications: Notifications;
  isSubscribedToNewsletter: boolean;
  createdAt: string;
  workspace: { _id: string; name: string; role: WorkspaceRole };
}

export interface UserSettingsBody {
  firstName?: string;
  lastName?: string;
  email?: string;
  company?: string;
  timezone?: string;
  notifications?: {
    email?: boolean;
    syncAlerts?: boolean;
    billingAlerts?: boolean;
    weeklyReports?: boolean;
  };
  subscribeToNewsletter?: boolean;
}

export interface UserSettingsReply {
  user: User;
  isEmailPending: boolean;
}

export interface VariantView {
  variantId: string;
  label: string;
  sku: string;
  barcode: string;
  price: PriceView;
  weightMg: number | null;
  optionValues: string[];
  backorders: 'no' | 'notify' | 'yes';
  quantity: number | null;
  isTracked: boolean;
}

export interface WorkspaceBody {
  name: string;
}

export interface WorkspaceReply {
  workspace: WorkspaceView;
}

export type WorkspaceRole = 'owner' | 'admin' | 'member' | 'viewer';

export interface WorkspaceView {
  _id: string;
  name: string;
  role: WorkspaceRole;
  isCurrent: boolean;
}

export interface WorkspacesReply {
  workspaces: WorkspaceView[];
}

/** What each route takes and gives, by method and address. */
export interface Operations {
  /** Whether the server is ready */
  'GET /api/health': { input: {}; reply: HealthReply };
  /** What a sign-in page needs to know before anyone is signed in */
  'GET /api/instance': { input: {}; reply: InstanceReply };
  /** Send a message to who runs this instance */
  'POST /api/contact': { input: { body: ContactBody }; reply: ContactReply };
  /** This description (OpenAPI 3.1) */
  'GET /api/openapi.json': { input: {}; reply: Record<string, unknown> };
  /** Create an account and sign in */
  'POST /api/auth/signup': { input: { body: SignUpBody }; reply: SessionReply };
  /** Sign in */
  'POST /api/auth/login': { input: { body: LoginBody }; reply: SessionReply };
  /** Exchange a refresh token for a new pair of tokens */
  'POST /api/auth/refresh': { input: { body?: RefreshBody }; reply: SessionReply };
  /** Sign out */
  'POST /api/auth/logout': { input: { body?: RefreshBody }; reply: { ok: true } };
  /** Confirm an email address with a mailed token */
  'POST /api/auth/verify-email': { input: { body: MailedTokenBody }; reply: { ok: true } };
  /** Mail the confirmation link once more */
  'POST /api/auth/resend-verification': { input: {}; reply: { ok: true } };
  /** Mail a link to set a new password, if there is such an account */
  'POST /api/auth/forgot-password': { input: { body: ForgotPasswordBody }; reply: { ok: true } };
  /** Set a new password with a mailed token */
  'POST /api/auth/reset-password': { input: { body: ResetPasswordBody }; reply: { ok: true } };
  /** Show once more that it is you, for protected actions of the next ten minutes */
  'POST /api/auth/prove': { input: { body: ProveBody }; reply: ProveReply };
  /** Who is signed in, and in which workspace */
  'GET /api/auth/me': { input: {}; reply: MeReply };
  /** The other way to sign in, and whether your account is connected to it */
  'GET /api/auth/oidc': { input: {}; reply: OpenIdReply };
  /** Connect your account to the provider */
  'POST /api/auth/oidc/link': { input: {}; reply: OpenIdLinkReply };
  /** Disconnect your account from the provider */
  'POST /api/auth/oidc/unlink': { input: {}; reply: { ok: true } };
  /** Finish a sign-in by the provider with a code, where two-factor sign-in is on */
  'POST /api/auth/oidc/code': { input: { body: OpenIdCodeBody }; reply: SessionReply };
  /** Get a secret for an authenticator app */
  'POST /api/auth/two-factor/begin': { input: {}; reply: TwoFactorBeginReply };
  /** Turn two-factor sign-in on with a first code */
  'POST /api/auth/two-factor/enable': { input: { body: OpenIdCodeBody }; reply: RecoveryCodesReply };
  /** Turn two-factor sign-in off */
  'POST /api/auth/two-factor/disable': { input: {}; reply: { ok: true } };
  /** Replace the recovery codes */
  'POST /api/auth/two-factor/recovery-codes': { input: {}; reply: RecoveryCodesReply };
  /** The devices on which you are signed in */
  'GET /api/auth/sessions': { input: {}; reply: SessionsReply };
  /** Sign out one device */
  'DELETE /api/auth/sessions/{id}': { input: { params: { id: string } }; reply: { ok: true } };
  /** Sign out all other devices */
  'POST /api/auth/sessions/end-others': { input: {}; reply: EndedReply };
  /** Change what stands about you */
  'PATCH /api/user/settings': { input: { body: UserSettingsBody }; reply: UserSettingsReply };
  /** Change your password and sign out all other devices */
  'POST /api/user/change-password': { input: { body: ChangePasswordBody }; reply: { ok: true } };
  /** What would go if you deleted your account */
  'GET /api/user/account/erasure': { input: {}; reply: ErasureReply };
  /** Delete your account */
  'DELETE /api/user/account': { input: { body: DeleteAccountBody }; reply: { ok: true } };
  /** Everything that is kept about you */
  'GET /api/user/export': { input: {}; reply: AccountExportReply };
  /** The workspaces that you belong to */
  'GET /api/workspaces': { input: {}; reply: WorkspacesReply };
  /** Create a workspace */
  'POST /api/workspaces': { input: { body: WorkspaceBody }; reply: WorkspaceReply };
  /** Go on in another workspace */
  'POST /api/workspaces/{id}/switch': { input: { params: { id: string } }; reply: SwitchReply };
  /** Rename the workspace */
  'PATCH /api/workspace': { input: { body: WorkspaceBody }; reply: WorkspaceReply };
  /** Delete the workspace with everything in it */
  'DELETE /api/workspace': { input: { body: WorkspaceBody }; reply: { ok: true } };
  /** Leave the workspace */
  'POST /api/workspace/leave': { input: {}; reply: { ok: true } };
  /** Who belongs to the workspace */
  'GET /api/workspace/members': { input: {}; reply: MembersReply };
  /** Give a member another role */
  'PATCH /api/workspace/members/{id}': { input: { params: { id: string }; body: MemberRoleBody }; reply: { ok: true } };
  /** Take a member out */
  'DELETE /api/workspace/members/{id}': { input: { params: { id: string } }; reply: { ok: true } };
  /** Open invitations */
  'GET /api/workspace/invitations': { input: {}; reply: InvitationsReply };
  /** Invite an email address */
  'POST /api/workspace/invitations': { input: { body: InviteBody }; reply: InvitationReply };
  /** Take an invitation back */
  'DELETE /api/workspace/invitations/{id}': { input: { params: { id: string } }; reply: { ok: true } };
  /** What an invitation is for */
  'POST /api/invitations/preview': { input: { body: MailedTokenBody }; reply: InvitationPreviewReply };
  /** Accept an invitation and go on in its workspace */
  'POST /api/invitations/accept': { input: { body: MailedTokenBody }; reply: SwitchReply };
  /** API tokens */
  'GET /api/workspace/tokens': { input: {}; reply: ApiTokensReply };
  /** Make an API token; its secret is shown this once */
  'POST /api/workspace/tokens': { input: { body: ApiTokenBody }; reply: NewApiTokenReply };
  /** Give an API token a new secret */
  'POST /api/workspace/tokens/{id}/regenerate': { input: { params: { id: string } }; reply: NewApiTokenReply };
  /** Revoke an API token */
  'DELETE /api/workspace/tokens/{id}': { input: { params: { id: string } }; reply: { ok: true } };
  /** Who did what, newest first */
  'GET /api/workspace/audit': { input: { query?: { cursor?: string | undefined; limit?: number | undefined } }; reply: AuditReply };
  /** The audit log as a file, one JSON object a line */
  'GET /api/workspace/audit/export': { input: {}; reply: string };
  /** Everybody with an account */
  'GET /api/instance/users': { input: {}; reply: InstanceUsersReply };
  /** Make somebody an administrator of the instance, or no longer one */
  'PATCH /api/instance/users/{id}': { input: { params: { id: string }; body: InstanceRoleBody }; reply: InstanceUserReply };
  /** What was done about accounts and the instance itself, newest first */
  'GET /api/instance/audit': { input: {
    query?: {
    cursor?: string | undefined;
    limit?: number | undefined;
    about?: 'account' | 'session' | 'instance' | 'workspace' | undefined;
  };
  }; reply: AuditReply };
  /** Emails and what became of them */
  'GET /api/instance/outbox': { input: {
    query?: {
    cursor?: string | undefined;
    limit?: number | undefined;
    state?: OutboxState | undefined;
  };
  }; reply: OutboxReply };
  /** One email with its text */
  'GET /api/instance/outbox/{id}': { input: { params: { id: string } }; reply: OutboxMailReply };
  /** Send yourself a test email */
  'POST /api/instance/outbox/test': { input: {}; reply: OutboxMailReply };
  /** Copies of the database, and when the next one is made */
  'GET /api/instance/backups': { input: {}; reply: BackupsReply };
  /** Make a copy of the database now; it is checked from end to end */
  'POST /api/instance/backups': { input: {}; reply: BackupReply };
  /** Connected stores */
  'GET /api/stores': { input: {
    query?: {
    cursor?: string | undefined;
    limit?: number | undefined;
    platform?: Platform | undefined;
    status?: StoreStatus | undefined;
    q?: string | undefined;
  };
  }; reply: StoresReply };
  /** Connect a store; it is examined at once */
  'POST /api/stores/connect': { input: { body: ConnectStoreBody }; reply: ConnectStoreReply };
  /** One store */
  'GET /api/stores/{id}': { input: { params: { id: string } }; reply: StoreReply };
  /** Rename a store, or say where its webhooks may come from */
  'PATCH /api/stores/{id}': { input: { params: { id: string }; body: UpdateStoreBody }; reply: UpdateStoreReply };
  /** Disconnect a store */
  'DELETE /api/stores/{id}': { input: { params: { id: string } }; reply: { ok: true } };
  /** Examine a store again */
  'POST /api/stores/{id}/test-connection': { input: { params: { id: string } }; reply: TestStoreReply };
  /** Give a store new keys; they are examined at once */
  'POST /api/stores/{id}/keys': { input: { params: { id: string }; body: RenewKeysBody }; reply: ConnectStoreReply };
  /** Tell that a shop has another address; it is proved to be the same shop at once */
  'POST /api/stores/{id}/move': { input: { params: { id: string }; body: MoveStoreBody }; reply: ConnectStoreReply };
  /** Give the webhooks of a WooCommerce store a new secret */
  'POST /api/stores/{id}/rotate-webhook-secret': { input: { params: { id: string } }; reply: StoreReply };
  /** Numbers of a store */
  'GET /api/stores/{id}/stats': { input: { params: { id: string } }; reply: StoreStatsReply };
  /** Pairs of stores, and what could be a pair */
  'GET /api/pairs': { input: {}; reply: PairsReply };
  /** Make a pair of two stores */
  'POST /api/pairs': { input: { body: CreatePairBody }; reply: PairReply };
  /** One pair */
  'GET /api/pairs/{id}': { input: { params: { id: string } }; reply: PairReply };
  /** Change the settings of a pair */
  'PATCH /api/pairs/{id}': { input: { params: { id: string }; body: PairSettingsBody }; reply: PairReply };
  /** Take a pair apart; the stores keep what they have */
  'DELETE /api/pairs/{id}': { input: { params: { id: string } }; reply: { ok: true } };
  /** Pause a pair */
  'POST /api/pairs/{id}/pause': { input: { params: { id: string } }; reply: PairReply };
  /** Resume a pair that was paused or halted */
  'POST /api/pairs/{id}/resume': { input: { params: { id: string } }; reply: PairReply };
  /** Work out what a first link would do */
  'POST /api/pairs/{id}/plan': { input: { params: { id: string } }; reply: PlanReply };
  /** A plan with its items */
  'GET /api/plans/{id}': { input: {
    params: { id: string };
    query?: {
    cursor?: string | undefined;
    limit?: number | undefined;
    action?: PlanAction | undefined;
    side?: Platform | undefined;
    unlike?: boolean | undefined;
    q?: string | undefined;
  };
  }; reply: PlanWithItemsReply };
  /** Do exactly what a plan says */
  'POST /api/plans/{id}/apply': { input: { params: { id: string }; body: ApplyPlanBody }; reply: RunReply };
  /** Throw a plan away */
  'POST /api/plans/{id}/discard': { input: { params: { id: string } }; reply: PlanReply };
  /** Start a sync */
  'POST /api/sync/manual': { input: { body: ManualSyncBody }; reply: RunReply };
  /** How a sync is going */
  'GET /api/sync/status/{id}': { input: { params: { id: string } }; reply: RunReply };
  /** Cancel a sync */
  'POST /api/sync/cancel/{id}': { input: { params: { id: string } }; reply: RunReply };
  /** Past syncs */
  'GET /api/sync/history': { input: {
    query?: {
    cursor?: string | undefined;
    limit?: number | undefined;
    offset?: number | undefined;
    status?: RunStatus | undefined;
    entityType?: 'orders' | 'products' | 'inventory' | 'customers' | 'all' | undefined;
    trigger?: RunTrigger | undefined;
    pairId?: string | undefined;
    storeId?: string | undefined;
    q?: string | undefined;
  };
  }; reply: HistoryReply };
  /** Numbers of syncs */
  'GET /api/sync/stats': { input: {
    query?: { period?: 'day' | 'week' | 'month' | undefined; pairId?: string | undefined };
  }; reply: SyncStatsReply };
  /** Work that waits */
  'GET /api/sync/queue/status': { input: {}; reply: QueueReply };
  /** One sync with what it did */
  'GET /api/runs/{id}': { input: {
    params: { id: string };
    query?: {
    cursor?: string | undefined;
    limit?: number | undefined;
    outcome?: RunItemOutcome | undefined;
    q?: string | undefined;
  };
  }; reply: RunDetailReply };
  /** Products */
  'GET /api/records': { input: {
    query?: {
    cursor?: string | undefined;
    limit?: number | undefined;
    pairId?: string | undefined;
    state?: RecordState | undefined;
    q?: string | undefined;
    sort?: 'changed' | 'id' | undefined;
  };
  }; reply: RecordsReply };
  /** One product: both sides, what was agreed last, and its history */
  'GET /api/records/{id}': { input: {
    params: { id: string };
    query?: { cursor?: string | undefined; limit?: number | undefined };
  }; reply: RecordReply };
  /** Set the stock of a variant to what a person counted */
  'POST /api/records/{id}/count': { input: { params: { id: string }; body: CountStockBody }; reply: CountStockReply };
  /** Values that both sides changed */
  'GET /api/conflicts': { input: {
    query?: {
    cursor?: string | undefined;
    limit?: number | undefined;
    pairId?: string | undefined;
    recordId?: string | undefined;
    state?: 'open' | 'closed' | undefined;
    q?: string | undefined;
  };
  }; reply: ConflictsReply };
  /** One conflict */
  'GET /api/conflicts/{id}': { input: { params: { id: string } }; reply: ConflictReply };
  /** Resolve a conflict */
  'POST /api/conflicts/{id}/resolution': { input: { params: { id: string }; body: ResolveConflictBody }; reply: ConflictReply };
  /** Resolve several conflicts; each is answered for itself */
  'POST /api/conflicts/resolutions': { input: { body: ResolveConflictsBody }; reply: ResolveConflictsReply };
  /** What needs a person */
  'GET /api/problems': { input: {
    query?: {
    cursor?: string | undefined;
    limit?: number | undefined;
    pairId?: string | undefined;
    storeId?: string | undefined;
    state?: 'open' | 'closed' | undefined;
    level?: 'warning' | 'error' | undefined;
    code?: string | undefined;
    q?: string | undefined;
  };
  }; reply: ProblemsReply };
  /** Try again what failed */
  'POST /api/problems/{id}/retry': { input: { params: { id: string } }; reply: { ok: true } };
  /** What happened, newest first */
  'GET /api/activity': { input: {
    query?: {
    cursor?: string | undefined;
    limit?: number | undefined;
    filter?: 'all' | 'orders' | 'products' | 'errors' | undefined;
    pairId?: string | undefined;
    after?: number | undefined;
    before?: number | undefined;
  };
  }; reply: ActivityReply };
  /** Where this workspace is told of what happens: outgoing webhooks */
  'GET /api/webhook-endpoints': { input: {}; reply: EndpointsReply };
  /** Make an outgoing webhook; its secret is shown this once */
  'POST /api/webhook-endpoints': { input: { body: CreateEndpointBody }; reply: EndpointSecretReply };
  /** Change an outgoing webhook, or switch it on or off */
  'PATCH /api/webhook-endpoints/{id}': { input: { params: { id: string }; body: ChangeEndpointBody }; reply: EndpointReply };
  /** Delete an outgoing webhook with its log */
  'DELETE /api/webhook-endpoints/{id}': { input: { params: { id: string } }; reply: { ok: true } };
  /** Give an outgoing webhook a new secret; for a while messages bear both signatures */
  'POST /api/webhook-endpoints/{id}/rotate-secret': { input: { params: { id: string } }; reply: EndpointSecretReply };
  /** Send a test message */
  'POST /api/webhook-endpoints/{id}/test': { input: { params: { id: string } }; reply: ContactReply };
  /** What was sent to it, and what came of it */
  'GET /api/webhook-endpoints/{id}/messages': { input: {
    params: { id: string };
    query?: {
    cursor?: string | undefined;
    limit?: number | undefined;
    status?: MessageStatus | undefined;
  };
  }; reply: EndpointMessagesReply };
  /** Send a message once more */
  'POST /api/webhook-endpoints/{id}/messages/{messageId}/replay': { input: { params: { id: string; messageId: string } }; reply: { ok: true } };
  /** Who is told of what, and when */
  'GET /api/alerts': { input: {}; reply: AlertsReply };
  /** Change who is told of what, and when */
  'PATCH /api/alerts': { input: { body: ChangeAlertsBody }; reply: AlertSettingsReply };
  /** Numbers of the workspace */
  'GET /api/dashboard/overview': { input: {}; reply: OverviewReply };
  /** What happened over time, hour by hour or day by day */
  'GET /api/dashboard/analytics': { input: {
    query?: { period?: 'day' | 'week' | 'month' | undefined; pairId?: string | undefined };
  }; reply: AnalyticsReply };
  /** Open a demo workspace with two sandbox stores */
  'POST /api/demo/session': { input: {}; reply: DemoSessionReply };
  /** Add sandbox stores to this workspace */
  'POST /api/demo/data': { input: {}; reply: DemoDataReply };
  /** Take the sandbox stores of this workspace away, with all that is stored of them */
  'DELETE /api/demo/data': { input: {}; reply: DemoDataRemovedReply };
  /** What the sandbox stores show their customers now */
  'GET /api/demo/shelves': { input: {}; reply: ShelvesReply };
  /** Sell, restock or edit something in a sandbox store */
  'POST /api/demo/actions': { input: { body: DemoActionBody }; reply: DemoActionReply };
}

const ROUTES = {
  getHealth: 'GET /api/health',
  getInstance: 'GET /api/instance',
  sendContactMessage: 'POST /api/contact',
  getOpenApi: 'GET /api/openapi.json',
  signUp: 'POST /api/auth/signup',
  signIn: 'POST /api/auth/login',
  refreshSession: 'POST /api/auth/refresh',
  signOut: 'POST /api/auth/logout',
  verifyEmail: 'POST /api/auth/verify-email',
  resendVerification: 'POST /api/auth/resend-verification',
  forgotPassword: 'POST /api/auth/forgot-password',
  resetPassword: 'POST /api/auth/reset-password',
  proveIdentity: 'POST /api/auth/prove',
  getMe: 'GET /api/auth/me',
  getOidc: 'GET /api/auth/oidc',
  linkOidc: 'POST /api/auth/oidc/link',
  unlinkOidc: 'POST /api/auth/oidc/unlink',
  finishOidcSignIn: 'POST /api/auth/oidc/code',
  beginTwoFactor: 'POST /api/auth/two-factor/begin',
  enableTwoFactor: 'POST /api/auth/two-factor/enable',
  disableTwoFactor: 'POST /api/auth/two-factor/disable',
  replaceRecoveryCodes: 'POST /api/auth/two-factor/recovery-codes',
  listSessions: 'GET /api/auth/sessions',
  endSession: 'DELETE /api/auth/sessions/{id}',
  endOtherSessions: 'POST /api/auth/sessions/end-others',
  updateUserSettings: 'PATCH /api/user/settings',
  changePassword: 'POST /api/user/change-password',
  previewAccountErasure: 'GET /api/user/account/erasure',
  deleteAccount: 'DELETE /api/user/account',
  exportAccount: 'GET /api/user/export',
  listWorkspaces: 'GET /api/workspaces',
  createWorkspace: 'POST /api/workspaces',
  switchWorkspace: 'POST /api/workspaces/{id}/switch',
  updateWorkspace: 'PATCH /api/workspace',
  deleteWorkspace: 'DELETE /api/workspace',
  leaveWorkspace: 'POST /api/workspace/leave',
  listMembers: 'GET /api/workspace/members',
  updateMember: 'PATCH /api/workspace/members/{id}',
  removeMember: 'DELETE /api/workspace/members/{id}',
  listInvitations: 'GET /api/workspace/invitations',
  createInvitation: 'POST /api/workspace/invitations',
  revokeInvitation: 'DELETE /api/workspace/invitations/{id}',
  previewInvitation: 'POST /api/invitations/preview',
  acceptInvitation: 'POST /api/invitations/accept',
  listTokens: 'GET /api/workspace/tokens',
  createToken: 'POST /api/workspace/tokens',
  regenerateToken: 'POST /api/workspace/tokens/{id}/regenerate',
  revokeToken: 'DELETE /api/workspace/tokens/{id}',
  listAudit: 'GET /api/workspace/audit',
  exportAudit: 'GET /api/workspace/audit/export',
  listUsers: 'GET /api/instance/users',
  updateUser: 'PATCH /api/instance/users/{id}',
  listInstanceAudit: 'GET /api/instance/audit',
  listOutbox: 'GET /api/instance/outbox',
  getOutboxMail: 'GET /api/instance/outbox/{id}',
  sendTestMail: 'POST /api/instance/outbox/test',
  listBackups: 'GET /api/instance/backups',
  createBackup: 'POST /api/instance/backups',
  listStores: 'GET /api/stores',
  connectStore: 'POST /api/stores/connect',
  getStore: 'GET /api/stores/{id}',
  updateStore: 'PATCH /api/stores/{id}',
  deleteStore: 'DELETE /api/stores/{id}',
  testStore: 'POST /api/stores/{id}/test-connection',
  renewStoreKeys: 'POST /api/stores/{id}/keys',
  moveStore: 'POST /api/stores/{id}/move',
  rotateStoreWebhookSecret: 'POST /api/stores/{id}/rotate-webhook-secret',
  getStoreStats: 'GET /api/stores/{id}/stats',
  listPairs: 'GET /api/pairs',
  createPair: 'POST /api/pairs',
  getPair: 'GET /api/pairs/{id}',
  updatePair: 'PATCH /api/pairs/{id}',
  deletePair: 'DELETE /api/pairs/{id}',
  pausePair: 'POST /api/pairs/{id}/pause',
  resumePair: 'POST /api/pairs/{id}/resume',
  createPlan: 'POST /api/pairs/{id}/plan',
  getPlan: 'GET /api/plans/{id}',
  applyPlan: 'POST /api/plans/{id}/apply',
  discardPlan: 'POST /api/plans/{id}/discard',
  startSync: 'POST /api/sync/manual',
  getSyncStatus: 'GET /api/sync/status/{id}',
  cancelSync: 'POST /api/sync/cancel/{id}',
  listSyncs: 'GET /api/sync/history',
  getSyncStats: 'GET /api/sync/stats',
  getQueueStatus: 'GET /api/sync/queue/status',
  getRun: 'GET /api/runs/{id}',
  listRecords: 'GET /api/records',
  getRecord: 'GET /api/records/{id}',
  countStock: 'POST /api/records/{id}/count',
  listConflicts: 'GET /api/conflicts',
  getConflict: 'GET /api/conflicts/{id}',
  resolveConflict: 'POST /api/conflicts/{id}/resolution',
  resolveConflicts: 'POST /api/conflicts/resolutions',
  listProblems: 'GET /api/problems',
  retryProblem: 'POST /api/problems/{id}/retry',
  listActivity: 'GET /api/activity',
  listWebhookEndpoints: 'GET /api/webhook-endpoints',
  createWebhookEndpoint: 'POST /api/webhook-endpoints',
  updateWebhookEndpoint: 'PATCH /api/webhook-endpoints/{id}',
  deleteWebhookEndpoint: 'DELETE /api/webhook-endpoints/{id}',
  rotateWebhookEndpointSecret: 'POST /api/webhook-endpoints/{id}/rotate-secret',
  testWebhookEndpoint: 'POST /api/webhook-endpoints/{id}/test',
  listWebhookMessages: 'GET /api/webhook-endpoints/{id}/messages',
  replayWebhookMessage: 'POST /api/webhook-endpoints/{id}/messages/{messageId}/replay',
  getAlerts: 'GET /api/alerts',
  updateAlerts: 'PATCH /api/alerts',
  getOverview: 'GET /api/dashboard/overview',
  getAnalytics: 'GET /api/dashboard/analytics',
  openDemo: 'POST /api/demo/session',
  loadDemoData: 'POST /api/demo/data',
  removeDemoData: 'DELETE /api/demo/data',
  getDemoShelves: 'GET /api/demo/shelves',
  actInDemo: 'POST /api/demo/actions',
} as const satisfies Record<string, keyof Operations>;

/** Stable: decide by these. */
export type ErrorCode =
  | 'BAD_REQUEST'
  | 'INVALID_JSON'
  | 'UNAUTHORIZED'
  | 'TOKEN_EXPIRED'
  | 'INVALID_CREDENTIALS'
  | 'TWO_FACTOR_REQUIRED'
  | 'INVALID_CODE'
  | 'SESSION_EXPIRED'
  | 'NOT_AUTHENTIC'
  | 'FORBIDDEN'
  | 'SIGNUP_CLOSED'
  | 'SETUP_TOKEN_REQUIRED'
  | 'PROOF_REQUIRED'
  | 'SESSION_ONLY'
  | 'SOURCE_REFUSED'
  | 'ORIGIN_REFUSED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'CONFLICT'
  | 'EMAIL_TAKEN'
  | 'IDENTITY_TAKEN'
  | 'PASSWORD_MISSING'
  | 'ALREADY_MEMBER'
  | 'ALREADY_VERIFIED'
  | 'LAST_OWNER'
  | 'LAST_ADMIN'
  | 'LIMIT_REACHED'
  | 'TWO_FACTOR_ON'
  | 'TWO_FACTOR_OFF'
  | 'TWO_FACTOR_NOT_BEGUN'
  | 'NOT_OURS_TO_ROTATE'
  | 'ROTATION_UNDER_WAY'
  | 'BACKUP_UNDER_WAY'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'PAIR_EXISTS'
  | 'PAIR_RING'
  | 'PAIR_HALTED'
  | 'PAIR_PAUSED'
  | 'PAIR_NOT_LINKED'
  | 'PAIR_BUSY'
  | 'PLAN_HASH_MISMATCH'
  | 'PLAN_SETTINGS_CHANGED'
  | 'PLAN_NOT_READY'
  | 'CONFLICT_MOVED'
  | 'CONFLICT_CLOSED'
  | 'STORE_ALREADY_CONNECTED'
  | 'STORE_IN_PAIR'
  | 'LOCATION_IN_USE'
  | 'PAIR_NOT_ACTIVE'
  | 'STOCK_NOT_COUNTED'
  | 'ENDPOINT_LIMIT'
  | 'ENDPOINT_DISABLED'
  | 'DEMO_DATA_PRESENT'
  | 'SANDBOX_STORE'
  | 'OUT_OF_STOCK'
  | 'RUN_NOT_RUNNING'
  | 'REQUEST_TOO_SLOW'
  | 'BODY_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION'
  | 'EMAIL_UNVERIFIED'
  | 'TOKEN_INVALID'
  | 'INVITATION_INVALID'
  | 'INVITATION_OTHER_EMAIL'
  | 'WRONG_PASSWORD'
  | 'CODE_REQUIRED'
  | 'WRONG_CODE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'PROVIDER_FAILED'
  | 'STORE_UNREACHABLE'
  | 'STORE_CHECK_FAILED'
  | 'DIFFERENT_SHOP'
  | 'PRICE_BASIS_DIFFERS'
  | 'CONTACT_FULL'
  | 'RATE_LIMITED'
  | 'LOGIN_THROTTLED'
  | 'MAIL_THROTTLED'
  | 'DEMO_FULL'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL'
  | 'NOT_READY'
  | 'STORAGE_FAILED'
  | 'TIMEOUT'
  | 'BACKUP_FAILED';

/** An answer that was no success; `status` 0 and code `NO_ANSWER`: there was none. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | 'NO_ANSWER' | `HTTP_${number}`;
  readonly details: Readonly<Record<string, unknown>>;
  /** The server's log knows the request by it. */
  readonly requestId: string;

  constructor(status: number, error: { code: string; message: string; details?: object; requestId?: string }) {
    super(error.message);
    this.status = status;
    this.code = error.code as ApiError['code'];
    this.details = { ...error.details };
    this.requestId = error.requestId ?? '';
  }

  /** How long to wait before the next try, where the server says so, ms. */
  get retryAfterMs(): number | null {
    const ms = this.details['retryAfterMs'];
    return typeof ms === 'number' ? ms : null;
  }
}

export interface ClientOptions {
  /** "https://sync.example.com" */
  baseUrl: string;
  /** An API token (`ts_...`); a function is asked before each request. */
  token?: string | (() => string | Promise<string>);
  /** Until there is an answer, ms; 60 seconds if nothing is said. */
  timeoutMs?: number;
  /** Instead of the global one. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** A POST that is sent again with the same key within a day happens once, and gives the same answer. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

type Input<K extends keyof Operations> = Operations[K]['input'];
type Reply<K extends keyof Operations> = Operations[K]['reply'];

/** One method for each route. Throws `ApiError`. */
export type Client = {
  [Name in keyof typeof ROUTES]: {} extends Input<(typeof ROUTES)[Name]>
    ? (input?: Input<(typeof ROUTES)[Name]> & CallOptions) => Promise<Reply<(typeof ROUTES)[Name]>>
    : (input: Input<(typeof ROUTES)[Name]> & CallOptions) => Promise<Reply<(typeof ROUTES)[Name]>>;
};

interface AnyInput extends CallOptions {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

const TIMEOUT_MS = 60_000;

export function createClient(options: ClientOptions): Client {
  const base = options.baseUrl.replace(/\/+$/, '');

  async function call(route: string, input: AnyInput = {}): Promise<unknown> {
    const [method = '', template = ''] = route.split(' ');
    const path = template.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(input.params?.[name] ?? ''));
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(input.query ?? {})) {
      if (value !== undefined && value !== null) query.set(name, String(value));
    }
    const token = typeof options.token === 'function' ? await options.token() : options.token;
    const hasBody = input.body !== undefined;
    const limit = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
    let response: Response;
    let text: string;
    try {
      response = await (options.fetch ?? fetch)(base + path + (query.size > 0 ? '?' + query : ''), {
        method,
        headers: {
          accept: 'application/json',
          ...(token === undefined ? {} : { authorization: 'Bearer ' + token }),
          ...(hasBody ? { 'content-type': 'application/json' } : {}),
          ...(input.idempotencyKey === undefined ? {} : { 'idempotency-key': input.idempotencyKey }),
        },
        body: hasBody ? JSON.stringify(input.body) : null,
        redirect: 'error',
        signal: input.signal === undefined ? limit : AbortSignal.any([input.signal, limit]),
      });
      text = await response.text();
    } catch (cause) {
      if (input.signal?.aborted) throw cause;
      throw new ApiError(0, { code: 'NO_ANSWER', message: 'There was no answer from ' + base + '.' });
    }
    const body = parse(text, response.headers.get('content-type') ?? '');
    if (response.ok) return body;
    const { error } = (body ?? {}) as { error?: { code: string; message: string } };
    throw new ApiError(response.status, error ?? { code: 'HTTP_' + response.status, message: 'HTTP ' + response.status });
  }

  const methods = Object.entries(ROUTES).map(([name, route]) => [name, (input?: AnyInput) => call(route, input)]);
  return Object.fromEntries(methods) as Client;
}

function parse(text: string, type: string): unknown {
  if (!type.startsWith('application/json')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * All pages of a list, one after the other:
 * `for await (const { records } of paginate(client.listRecords, { query: { limit: 200 } }))`
 */
export async function* paginate<I extends { query?: object } | undefined, R extends { nextCursor: string | null }>(
  list: (input: I) => Promise<R>,
  input: NonNullable<NoInfer<I>>,
): AsyncGenerator<R, void, undefined> {
  let cursor: string | null = null;
  do {
    const page: R = await list(cursor === null ? input : ({ ...input, query: { ...input.query, cursor } } as I));
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
