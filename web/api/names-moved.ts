import type { ServerMessage } from '../../src/contracts/live.ts';

const STOCK_MOVED: ReadonlySet<string> = new Set(['stock_changed', 'stock_written']);

/** What may read otherwise after a live message: first words of `keys.ts`. */
export function namesMoved(message: ServerMessage): readonly string[] {
  switch (message.type) {
    case 'activity': {
      const names = ['shelves', 'overview', 'pairs', 'records', 'problems'];
      // Sales, most of what happens in a busy store: nobody is asked about stock, and no such question ends with it.
      if (STOCK_MOVED.has(message.payload.type)) return names;
      names.push('conflicts');
      // With all that was theirs: records, runs, plans and lines of the feed.
      if (message.payload.type === 'demo_data_removed') return [...names, 'stores', 'runs', 'plans', 'activity'];
      // A store says which pairs it is in. With a pair go its runs and plans.
      if (message.payload.type === 'pair_created') return [...names, 'stores'];
      if (message.payload.type === 'pair_deleted') return [...names, 'stores', 'runs', 'plans'];
      // Connected, renamed, moved, with new keys: by somebody else, or in another tab.
      return message.payload.type.startsWith('store_') ? [...names, 'stores'] : names;
    }
    case 'sync_status_update':
      return ['runs', 'overview', 'pairs', 'plans'];
    case 'sync_completed':
    case 'sync_failed':
      return ['runs', 'overview', 'pairs', 'plans', 'conflicts', 'records', 'shelves'];
    case 'store_health_changed':
      return ['stores', 'overview', 'pairs', 'problems'];
    default:
      return [];
  }
}
