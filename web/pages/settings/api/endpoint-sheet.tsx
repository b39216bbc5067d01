import { useState } from 'react';
import type { Endpoint, EndpointEvent } from '../../../api/endpoints.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { Status } from '../../../components/status.tsx';
import type { Tell } from '../../../components/toast.tsx';
import { formatDateTime } from '../../../hooks/format.ts';
import { useNow } from '../../../hooks/use-now.ts';
import { DeleteEndpointDialog } from './delete-endpoint-dialog.tsx';
import { Deliveries } from './deliveries.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointFormSheet } from './endpoint-form-sheet.tsx';
import css from './endpoint-sheet.module.css';
import { endpointName, endpointState, eventsWords } from './endpoint-words.ts';
import { RotateSecretDialog } from './rotate-secret-dialog.tsx';

interface EndpointSheetProps {
  /** Null: closed. */
  readonly endpoint: Endpoint | null;
  readonly events: readonly EndpointEvent[];
  readonly isDemo: boolean;
  readonly onClose: () => void;
}

/** One endpoint with its delivery log, and everything that can be done with it. */
export function EndpointSheet({ endpoint, events, isDemo, onClose }: EndpointSheetProps) {
  const now = useNow();
  const [doing, setDoing] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const [told, setTold] = useState<{ readonly isFine: boolean; readonly text: string } | null>(null);
  const tell: Tell = (tone, text) => setTold({ isFine: tone === 'success', text });
  const end = (): void => setDoing(null);
  const close = (): void => {
    setTold(null);
    onClose();
  };
  if (endpoint === null) return null;
  const state = endpointState(endpoint, now);
  const why = isDemo ? 'The demo changes no endpoints.' : null;
  return (
    <>
      <Dialog kind="sheet" open onClose={close} title={endpointName(endpoint)}>
        <div className={css.stack}>
          <dl className={css.facts}>
            <div>
              <dt>State</dt>
              <dd>
                <Status tone={state.tone}>{state.text}</Status>
              </dd>
            </div>
            <div>
              <dt>Address</dt>
              <dd className={css.url}>{endpoint.url}</dd>
            </div>
            <div>
              <dt>Told of</dt>
              <dd>{endpoint.events === null ? eventsWords(endpoint) : endpoint.events.join(', ')}</dd>
            </div>
            <div>
              <dt>Since</dt>
              <dd>{formatDateTime(endpoint.createdAt)}</dd>
            </div>
          </dl>
          {endpoint.statusReason && <p className={css.reason}>{endpoint.statusReason}</p>}
          <div className={css.actions}>
            <EndpointActions endpoint={endpoint} isDemo={isDemo} tell={tell} />
            <ReasonedButton size="sm" look="ghost" reason={why} onClick={() => setDoing('edit')}>
              Edit
            </ReasonedButton>
            {endpoint.kind === 'events' && (
              <ReasonedButton size="sm" look="ghost" reason={why} onClick={() => setDoing('rotate')}>
                New secret
              </ReasonedButton>
            )}
            <Button size="sm" look="ghost" onClick={() => setDoing('delete')}>
              Delete
            </Button>
          </div>
          {told && (
            <Banner key={told.text} tone={told.isFine ? 'ok' : 'bad'} urgent>
              {told.text}
            </Banner>
          )}
          <Deliveries endpoint={endpoint} tell={tell} />
        </div>
      </Dialog>
      <EndpointFormSheet open={doing === 'edit'} endpoint={endpoint} events={events} onClose={end} tell={tell} />
      <RotateSecretDialog endpoint={endpoint} open={doing === 'rotate'} onClose={end} />
      <DeleteEndpointDialog endpoint={endpoint} open={doing === 'delete'} onClose={end} onDeleted={close} />
    </>
  );
}
