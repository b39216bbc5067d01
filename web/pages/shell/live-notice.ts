import type { ServerMessage } from '../../../src/contracts/live.ts';
import type { ToastTone } from '../../components/toasts.ts';
import { TEXT } from '../../content/messages.en.ts';
import { plural } from '../../hooks/format.ts';

/** What is said in passing of a live message: the specification's notices, and none of the good one where records failed. */
export function liveNotice(message: ServerMessage): readonly [ToastTone, string] | null {
  switch (message.type) {
    case 'usage_alert':
      return ['warning', TEXT.live.usage(message.payload.message)];
    case 'sync_failed':
      return ['error', TEXT.live.failed];
    case 'sync_completed': {
      const { failed } = message.payload.stats;
      return failed > 0
        ? ['warning', `Sync finished, ${plural(failed, 'record')} failed.`]
        : ['success', TEXT.live.completed];
    }
    default:
      return null;
  }
}
