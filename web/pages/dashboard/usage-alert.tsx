import { useCallback, useState } from 'react';
import type { ServerMessage } from '../../../src/contracts/live.ts';
import { useLiveMessages } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { TEXT } from '../../content/messages.en.ts';

/** What was said about usage since the dashboard is open, until somebody has taken notice. Everything else stays on the page. */
export function UsageAlert({ onRetry }: { readonly onRetry: () => void }) {
  const [alert, setAlert] = useState<string | null>(null);
  useLiveMessages(
    useCallback((message: ServerMessage) => {
      if (message.type === 'usage_alert') setAlert(message.payload.message);
    }, []),
  );
  if (alert === null) return null;
  return (
    <ErrorPanel
      title={TEXT.dashboard.usageAlert(alert)}
      retryLabel={TEXT.crash.retry}
      onRetry={() => {
        setAlert(null);
        onRetry();
      }}
    />
  );
}
