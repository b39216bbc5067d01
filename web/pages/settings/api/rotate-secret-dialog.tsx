import { type Endpoint, useRotateSecret } from '../../../api/endpoints.ts';
import { wordsOf } from '../../../api/error-words.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import css from './api-panel.module.css';
import { endpointName } from './endpoint-words.ts';
import { ShownSecret } from './shown-secret.tsx';
import { useShownOnce } from './use-shown-once.ts';

interface RotateSecretDialogProps {
  readonly endpoint: Endpoint;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** A new secret; for a day messages are signed with both, so that the receiver is never without one. */
export function RotateSecretDialog({ endpoint, open, onClose }: RotateSecretDialogProps) {
  const rotate = useRotateSecret(endpoint._id);
  const once = useShownOnce();
  const name = endpointName(endpoint);
  const send = (): void =>
    rotate.mutate(undefined, {
      onSuccess: ({ secret }) => {
        once.show(name, secret);
        rotate.reset();
      },
    });
  const leave = (): void => {
    once.forget();
    rotate.reset();
    onClose();
  };
  const close = (): void => {
    if (!rotate.isPending && once.mayLeave()) leave();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      focusKey={once.shown ? 'secret' : 'question'}
      title={once.shown ? `New secret of ${name}` : `A new secret for ${name}?`}
      footer={
        once.shown ? (
          <Button look="primary" onClick={leave}>
            I saved it
          </Button>
        ) : (
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="primary" busy={rotate.isPending} onClick={send}>
              Make a new secret
            </Button>
          </>
        )
      }
    >
      {once.shown ? (
        <ShownSecret once={once} label="Signing secret">
          Give it to the receiver within a day: until then messages are signed with the old one as well.
        </ShownSecret>
      ) : (
        <div className={css.stack}>
          {rotate.error && (
            <Banner tone="bad" urgent>
              {wordsOf(rotate.error, 'The secret could not be changed. Please try again.')}
            </Banner>
          )}
          <p>Nothing is missed: for a day every message carries a signature by the old secret and one by the new.</p>
        </div>
      )}
    </Dialog>
  );
}
