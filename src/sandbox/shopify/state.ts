import type { BulkRunner } from './bulk/bulk-runner.ts';
import type { ThrottleBucket } from './graphql/throttle.ts';
import type { IdempotencyMemory } from './mutations/idempotency.ts';
import type { ChangeSet } from './store/changes.ts';
import type { SearchIndex } from './store/search-index.ts';
import type { SearchWarning } from './store/search-match.ts';
import type { Store } from './store/store.ts';
import type { SandboxConfig, SandboxEnvironment } from './types.ts';
import type { WebhookDispatcher } from './webhooks/dispatcher.ts';

/** One running sandbox: what every request, timer and control works on. */
export interface SandboxState {
  readonly config: SandboxConfig;
  readonly environment: SandboxEnvironment;
  readonly store: Store;
  readonly searchIndex: SearchIndex;
  readonly bucket: ThrottleBucket;
  readonly idempotency: IdempotencyMemory;
  readonly webhooks: WebhookDispatcher;
  readonly bulk: BulkRunner;
  /** Expanded: holding write_x also lists read_x. */
  readonly grantedScopes: Set<string>;
  /** Access token -> when it stops working; Infinity for the legacy token. */
  readonly tokens: Map<string, number>;
  /** Staged upload key -> content once uploaded. */
  readonly uploads: Map<string, Buffer | null>;
  origin(): string;
  /** Gives the touched records their new times, tells the search and sends the webhooks. */
  commit(changes: ChangeSet): void;
  /** Timers die with the sandbox. */
  schedule(run: () => void, delayMs: number): void;
}

export interface SearchNote {
  readonly path: readonly (string | number)[];
  readonly query: string;
  readonly warnings: readonly SearchWarning[];
}

/** What one GraphQL execution carries. */
export interface RequestContext {
  readonly state: SandboxState;
  readonly apiVersion: string;
  readonly searchNotes: SearchNote[];
  /** Bulk queries read whole connections, the root one slice by slice; `rootTotal` tells how far there is to go. */
  readonly bulk: { readonly from: number; readonly to: number; rootTotal: number } | null;
}

export function expandScopes(scopes: readonly string[]): Set<string> {
  const expanded = new Set(scopes);
  for (const scope of scopes) if (scope.startsWith('write_')) expanded.add(scope.replace('write_', 'read_'));
  return expanded;
}
