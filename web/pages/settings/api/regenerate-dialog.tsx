import { type ApiToken, useRegenerateApiToken } from '../../../api/api-tokens.ts';
import { wordsOf } from '../../../api/error-words.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { isDeclined, useProof } from '../proof/use-proof.tsx';
import css from './api-panel.module.css';
import { ShownSecret } from './shown-secret.tsx';
import { REGENERATE_FAILED } from './token-words.ts';
import { useShownOnce } from './use-shown-once.ts';

interface RegenerateDialogProps {
  /** Null: closed. */
  readonly token: ApiToken | null;
  readonly onClose: () => void;
}

/** A new secret in place of the old one, which opens nothing from then on. */
export function RegenerateDialog({ token, onClose }: RegenerateDialogProps) {
  const proof = useProof();
  const regenerate = useRegenerateApiToken(proof.withProof);
  const once = useShownOnce();
  const send = (): void => {
    if (token === null) return;
    regenerate.mutate(token._id, {
      onSuccess: ({ token: fresh, secret }) => {
        once.show(fresh.name, secret);
        regenerate.reset();
      },
    });
  };
  const leave = (): void => {
    once.forget();
    regenerate.reset();
    onClose();
  };
  const close = (): void => {
    if (!regenerate.isPending && once.mayLeave()) leave();
  };
  return (
    <>
      <Dialog
        open={token !== null}
        onClose={close}
        focusKey={once.shown ? 'secret' : 'question'}
        title={once.shown ? `The new token ${once.shown.name}` : `Regenerate ${token?.name ?? ''}?`}
        footer={
          once.shown ? (
            <Button look="primary" onClick={leave}>
              I saved it
            </Button>
          ) : (
            <>
              <Button onClick={close}>Cancel</Button>
              <Button look="primary" busy={regenerate.isPending} onClick={send}>
                Regenerate the token
              </Button>
            </>
          )
        }
      >
        {once.shown ? (
          <ShownSecret once={once} label="Token">
            The old token is refused from now on. Put the new one in its place.
          </ShownSecret>
        ) : (
          <div className={css.stack}>
            {regenerate.error && !isDeclined(regenerate.error) && (
              <Banner tone="bad" urgent>
                {wordsOf(regenerate.error, REGENERATE_FAILED)}
              </Banner>
            )}
            <p>
              Its name, scope and lifetime stay, counted from today. The present token is refused at once: what uses it
              stops until it has the new one.
            </p>
          </div>
        )}
      </Dialog>
      {proof.dialog}
    </>
  );
}
