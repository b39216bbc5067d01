import { ApiError } from '../../api/api-error.ts';
import type { Finding } from '../../api/stores.ts';
import { Banner } from '../../components/banner.tsx';
import { FindingList } from '../../components/finding-list.tsx';
import { TEXT } from '../../content/messages.en.ts';

function findingsOf(error: Error): readonly Finding[] {
  const findings = error instanceof ApiError ? error.details['findings'] : null;
  return Array.isArray(findings) ? (findings as Finding[]) : [];
}

/** Why a store's keys were not taken: in one sentence, and all that the doctor found where that is more. */
export function StoreRefusal({ error }: { readonly error: Error }) {
  const findings = findingsOf(error);
  return (
    <>
      <Banner tone="bad" urgent>
        {error.message || TEXT.dashboard.connectFailed}
      </Banner>
      {findings.length > 1 && <FindingList findings={findings} />}
    </>
  );
}
