import { formatNumber } from '../hooks/format.ts';
import { Status, type Tone } from './status.tsx';

type RunState = 'running' | 'completed' | 'failed' | 'cancelled';

/** A run that went through is quiet; one that left records behind is amber, not red. */
export function RunStatus({ status, failed }: { readonly status: RunState; readonly failed: number }) {
  const [tone, word]: readonly [Tone, string] =
    status === 'running'
      ? ['running', 'Running']
      : status === 'cancelled'
        ? ['quiet', 'Cancelled']
        : status === 'failed'
          ? ['bad', 'Failed']
          : failed > 0
            ? ['warn', `Finished, ${formatNumber(failed)} failed`]
            : ['ok', 'Completed'];
  return <Status tone={tone}>{word}</Status>;
}
