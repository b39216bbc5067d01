import { failureWords } from './api/error-words.ts';
import { showToast } from './components/toast.tsx';
import { TEXT } from './content/messages.en.ts';

/** Says in passing what was tried and why it failed, wherever the person is by then. For the promise of a mutation: its callbacks go with the page that sent it. */
export function tellFailure(tried: string, untold?: string): (error: unknown) => void {
  return (error) => showToast('error', failureWords(tried, error, untold));
}

/** The same of a sync that could not be started. */
export const tellSyncFailure = tellFailure('Could not start the sync.', TEXT.dashboard.syncFailed);
