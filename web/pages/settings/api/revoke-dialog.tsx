import { type ApiToken, useRevokeApiToken } from '../../../api/api-tokens.ts';
import { wordsOf } from '../../../api/error-words.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { showToast } from '../../../components/toast.tsx';
import { formatAgo } from '../../../hooks/format.ts';
import css from './api-panel.module.css';
import { REVOKE_FAILED } from './token-words.ts';

interface RevokeDialogProps {
  /** Null: closed. */
  readonly token: ApiToken | null;
  readonly onClose: () => void;
}

export function RevokeDialog({ token, onClose }: RevokeDialogProps) {
  const revoke = useRevokeApiToken();
  const close = (): void => {
    revoke.reset();
    onClose();
  };
  const send = (): void => {
    if (token === null) return;
    revoke.mutate(token._id, {
      onSuccess: () => {
        showToast('success', `${token.name} is revoked.`);
        close();
      },
    });
  };
  return (
    <Dialog
      open={token !== null}
      onClose={close}
      title={`Revoke ${token?.name ?? ''}?`}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button look="danger" busy={revoke.isPending} onClick={send}>
            Revoke {token?.name}
          </Button>
        </>
      }
    >
      <div className={css.stack}>
        {revoke.error && (
          <Banner tone="bad" urgent>
            {wordsOf(revoke.error, REVOKE_FAILED)}
          </Banner>
        )}
        <p>
          What uses it is refused from its next call on. This can not be undone.{' '}
          {token?.lastUsedAt ? `It was last used ${formatAgo(token.lastUsedAt)}.` : 'It was never used.'}
        </p>
      </div>
    </Dialog>
  );
}
