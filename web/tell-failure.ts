import { wordsOf } from './api/error-words.ts';
import { showToast } from './components/toast.tsx';
import { TEXT } from './content/messages.en.ts';

/** Says in passing what went wrong, in the words that came with it. */
export function tellFailure(error: unknown): void {
  showToast('error', error instanceof Error ? error.message : String(error));
}

/** The same of a sync that could not be started. */
export function tellSyncFailure(error: unknown): void {
  showToast('error', wordsOf(error, TEXT.dashboard.syncFailed));
}
