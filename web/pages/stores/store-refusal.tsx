import { ApiError } from '../../api/api-error.ts';
import { wordsOf } from '../../api/error-words.ts';
import type { Finding } from '../../api/stores.ts';
import { Banner } from '../../components/banner.tsx';
import { FindingList } from '../../components/finding-list.tsx';
import { TEXT } from '../../content/messages.en.ts';

function findingsOf(error: Error): readonly Finding[] {
  const findings = error instanceof ApiError ? error.details['findings'] : null;
  return Array.isArray(findings) ? (findings as Finding[]) : [];
}

interface StoreRefusalProps {
  readonly error: Error;
  /** What is said of an error without words of its own. */
  readonly failed?: string;
}

/** Why a store's keys or address were not taken: in one sentence, and all that was found where that is more. */
export function StoreRefusal({ error, failed = TEXT.dashboard.connectFailed }: StoreRefusalProps) {
  const findings = findingsOf(error);
  return (
    <>
      <Banner tone="bad" urgent>
        {wordsOf(error, failed)}
      </Banner>
      {findings.length > 1 && <FindingList findings={findings} />}
    </>
  );
}
