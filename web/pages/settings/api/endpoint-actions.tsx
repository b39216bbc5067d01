import { Send } from 'lucide-react';
import { type Endpoint, useChangeEndpoint, useTestEndpoint } from '../../../api/endpoints.ts';
import { wordsOf } from '../../../api/error-words.ts';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { showToast, type Tell } from '../../../components/toast.tsx';
import { endpointName } from './endpoint-words.ts';

interface EndpointActionsProps {
  readonly endpoint: Endpoint;
  readonly isDemo: boolean;
  readonly tell?: Tell;
}

/** What is done with an endpoint most often. */
export function EndpointActions({ endpoint, isDemo, tell = showToast }: EndpointActionsProps) {
  const test = useTestEndpoint(endpoint._id);
  const change = useChangeEndpoint(endpoint._id);
  const name = endpointName(endpoint);
  const isOn = endpoint.status === 'enabled';
  const onError = (error: Error): void =>
    tell('error', `${name}: ${wordsOf(error, 'This did not work. Please try again.')}`);
  return (
    <>
      <ReasonedButton
        size="sm"
        icon={<Send aria-hidden="true" />}
        aria-label={`Send a test to ${name}`}
        reason={isOn ? null : 'It gets nothing while it is off. Resume it first.'}
        busy={test.isPending}
        onClick={() =>
          test.mutate(undefined, {
            onSuccess: () => tell('success', `A test is on its way to ${name}.`),
            onError,
          })
        }
      >
        Send a test
      </ReasonedButton>
      <ReasonedButton
        size="sm"
        look="ghost"
        aria-label={`${isOn ? 'Pause' : 'Resume'} ${name}`}
        reason={isDemo ? 'The demo changes no endpoints.' : null}
        busy={change.isPending}
        onClick={() =>
          change.mutate(
            { enabled: !isOn },
            {
              onSuccess: () =>
                tell(
                  'success',
                  isOn ? `${name} is paused.` : `${name} goes on. What waited is sent, what happened meanwhile is not.`,
                ),
              onError,
            },
          )
        }
      >
        {isOn ? 'Pause' : 'Resume'}
      </ReasonedButton>
    </>
  );
}
