import { type Endpoint, useDeleteEndpoint } from '../../../api/endpoints.ts';
import { wordsOf } from '../../../api/error-words.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { showToast } from '../../../components/toast.tsx';
import css from './api-panel.module.css';
import { endpointName } from './endpoint-words.ts';

interface DeleteEndpointDialogProps {
  readonly endpoint: Endpoint;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

export function DeleteEndpointDialog({ endpoint, open, onClose, onDeleted }: DeleteEndpointDialogProps) {
  const remove = useDeleteEndpoint(endpoint._id);
  const name = endpointName(endpoint);
  const close = (): void => {
    remove.reset();
    onClose();
  };
  const send = (): void =>
    remove.mutate(undefined, {
      onSuccess: () => {
        showToast('success', `${name} is deleted.`);
        onClose();
        onDeleted();
      },
    });
  return (
    <Dialog
      open={open}
      onClose={close}
      title={`Delete ${name}?`}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button look="danger" busy={remove.isPending} onClick={send}>
            Delete {name}
          </Button>
        </>
      }
    >
      <div className={css.stack}>
        {remove.error && (
          <Banner tone="bad" urgent>
            {wordsOf(remove.error, 'The endpoint could not be deleted. Please try again.')}
          </Banner>
        )}
        <p>
          It is no longer called, its secret and its delivery log are deleted, and what waits for it is not sent. To
          stop it for a while, pause it.
        </p>
      </div>
    </Dialog>
  );
}
