/** Rows of a reply as people read them; null: the reply is only said to have come. */
type Rows = readonly Readonly<Record<string, string | number | boolean | null>>[];

export interface RemoteCommand {
  /** Words after the group's name; `<x>` is an argument, `[--x y]` an option that goes into the query. */
  readonly usage: string;
  readonly about: string;
  readonly method: 'GET' | 'POST';
  readonly path: (args: readonly string[]) => string;
  readonly body?: (args: readonly string[]) => object;
  readonly rows: (reply: never) => Rows | null;
}

const id = (args: readonly string[], at = 0): string => encodeURIComponent(args[at] ?? '');
const none = (): null => null;

interface StoreView {
  readonly _id: string;
  readonly name: string;
  readonly platform: string;
  readonly domain: string;
  readonly status: string;
}
interface PairView {
  readonly _id: string;
  readonly status: string;
  readonly woocommerce: { readonly name: string };
  readonly shopify: { readonly name: string };
  readonly counts: { readonly records: number; readonly conflicts: number; readonly problems: number };
  readonly lastSyncAt: string | null;
}
interface RunView {
  readonly _id: string;
  readonly trigger: string;
  readonly status: string;
  readonly progress: number;
  readonly stats: { readonly totalProcessed: number; readonly written: number; readonly failed: number };
  readonly createdAt: string;
  readonly error: { readonly message: string } | null;
}
interface PlanView {
  readonly _id: string;
  readonly status: string;
  readonly hash: string | null;
  readonly counts: Readonly<Record<string, unknown>>;
}
interface FindingView {
  readonly level: string;
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
}

const storeRow = ({ _id, name, platform, domain, status }: StoreView) => ({ id: _id, platform, name, domain, status });
const pairRow = ({ _id, status, woocommerce, shopify, counts, lastSyncAt }: PairView) => ({
  id: _id,
  status,
  woocommerce: woocommerce.name,
  shopify: shopify.name,
  records: counts.records,
  conflicts: counts.conflicts,
  problems: counts.problems,
  'last sync': lastSyncAt,
});
const runRow = ({ _id, trigger, status, progress, stats, createdAt, error }: RunView) => ({
  id: _id,
  trigger,
  status,
  progress: `${progress} %`,
  processed: stats.totalProcessed,
  written: stats.written,
  failed: stats.failed,
  at: createdAt,
  error: error?.message ?? '',
});
const planRow = ({ _id, status, hash, counts }: PlanView) => ({
  id: _id,
  status,
  hash,
  ...Object.fromEntries(Object.entries(counts).filter(([, value]) => typeof value === 'number' && value > 0)),
});
const oneRun = ({ run }: { readonly run: RunView }) => [runRow(run)];
const onePlan = ({ plan }: { readonly plan: PlanView }) => [planRow(plan)];

/** What can be asked of a running server from a shell: the same calls that the dashboard makes. */
export const REMOTE_COMMANDS: Readonly<Record<string, readonly RemoteCommand[]>> = {
  stores: [
    {
      usage: 'list [--limit n] [--cursor c]',
      about: 'the connected stores',
      method: 'GET',
      path: () => '/api/stores',
      rows: ({ stores }: { readonly stores: readonly StoreView[] }) => stores.map(storeRow),
    },
    {
      usage: 'test <store>',
      about: 'run the doctor on a store',
      method: 'POST',
      path: (args) => `/api/stores/${id(args)}/test-connection`,
      rows: ({ findings }: { readonly findings: readonly FindingView[] }) =>
        findings.map(({ level, code, message, remedy }) => ({ level, code, message, remedy })),
    },
  ],
  pairs: [
    {
      usage: 'list',
      about: 'the pairs, with what waits in them',
      method: 'GET',
      path: () => '/api/pairs',
      rows: ({ pairs }: { readonly pairs: readonly PairView[] }) => pairs.map(pairRow),
    },
    {
      usage: 'plan <pair>',
      about: 'make a plan: what a sync would do',
      method: 'POST',
      path: (args) => `/api/pairs/${id(args)}/plan`,
      rows: onePlan,
    },
    {
      usage: 'show-plan <plan>',
      about: 'a plan with its counts and its hash',
      method: 'GET',
      path: (args) => `/api/plans/${id(args)}`,
      rows: onePlan,
    },
    {
      usage: 'apply <plan> <hash>',
      about: 'do exactly what the plan says',
      method: 'POST',
      path: (args) => `/api/plans/${id(args)}/apply`,
      body: ([, hash]) => ({ hash }),
      rows: oneRun,
    },
    {
      usage: 'pause <pair>',
      about: 'stop writing; changes wait',
      method: 'POST',
      path: (args) => `/api/pairs/${id(args)}/pause`,
      rows: none,
    },
    {
      usage: 'resume <pair>',
      about: 'go on after a pause or a halt',
      method: 'POST',
      path: (args) => `/api/pairs/${id(args)}/resume`,
      rows: none,
    },
  ],
  sync: [
    {
      usage: 'now <pair>',
      about: 'compare both catalogues and level them',
      method: 'POST',
      path: () => '/api/sync/manual',
      body: ([pairId]) => ({ pairId }),
      rows: oneRun,
    },
    {
      usage: 'status <run>',
      about: 'how far a run is',
      method: 'GET',
      path: (args) => `/api/sync/status/${id(args)}`,
      rows: oneRun,
    },
    {
      usage: 'cancel <run>',
      about: 'stop a run between two records',
      method: 'POST',
      path: (args) => `/api/sync/cancel/${id(args)}`,
      rows: none,
    },
    {
      usage: 'history [--status s] [--limit n] [--cursor c]',
      about: 'past runs, newest first',
      method: 'GET',
      path: () => '/api/sync/history',
      rows: ({ syncLogs }: { readonly syncLogs: readonly RunView[] }) => syncLogs.map(runRow),
    },
  ],
  conflicts: [
    {
      usage: 'list [--limit n] [--cursor c]',
      about: 'what waits for a decision',
      method: 'GET',
      path: () => '/api/conflicts',
      rows: ({ conflicts }: { readonly conflicts: readonly ConflictView[] }) =>
        conflicts.map(({ _id, version, recordTitle, field, woocommerce, agreed, shopify }) => ({
          id: _id,
          version,
          record: recordTitle,
          field,
          woocommerce: shown(woocommerce),
          agreed: shown(agreed),
          shopify: shown(shopify),
        })),
    },
    {
      usage: 'resolve <conflict> <version> <woocommerce|shopify|agreed>',
      about: 'take one of the values for both sides',
      method: 'POST',
      path: (args) => `/api/conflicts/${id(args)}/resolution`,
      body: ([, version, choice]) => ({ expectedVersion: Number(version), choice }),
      rows: none,
    },
  ],
  problems: [
    {
      usage: 'list [--limit n] [--cursor c]',
      about: 'what failed or was refused, with the remedy',
      method: 'GET',
      path: () => '/api/problems',
      rows: ({ problems }: { readonly problems: readonly (FindingView & { readonly _id: string })[] }) =>
        problems.map(({ _id, level, code, message, remedy }) => ({ id: _id, level, code, message, remedy })),
    },
    {
      usage: 'retry <problem>',
      about: 'try a failed record again now',
      method: 'POST',
      path: (args) => `/api/problems/${id(args)}/retry`,
      rows: none,
    },
  ],
  records: [
    {
      usage: 'list [--q text] [--state s] [--limit n] [--cursor c]',
      about: 'the linked records',
      method: 'GET',
      path: () => '/api/records',
      rows: ({ records }: { readonly records: readonly RecordView[] }) =>
        records.map(({ _id, sku, title, state, quantity }) => ({ id: _id, sku, title, state, stock: quantity })),
    },
  ],
};

interface ConflictView {
  readonly _id: string;
  readonly version: number;
  readonly recordTitle: string;
  readonly field: string;
  readonly woocommerce: unknown;
  readonly agreed: unknown;
  readonly shopify: unknown;
}
interface RecordView {
  readonly _id: string;
  readonly sku: string;
  readonly title: string;
  readonly state: string;
  readonly quantity: number | null;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
