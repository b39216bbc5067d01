import { useState } from 'react';
import { useMe } from '../../../api/account.ts';
import { wordsOf } from '../../../api/error-words.ts';
import { beginConnecting, useDisconnect, useElsewhere } from '../../../api/security.ts';
import { useSend } from '../../../api/use-send.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { Status } from '../../../components/status.tsx';
import { showToast } from '../../../components/toast.tsx';
import { runsInstance } from '../../../hooks/roles.ts';
import { isDeclined, useProof } from '../proof/use-proof.tsx';
import { SettingRow } from '../setting-row.tsx';
import css from '../settings-form.module.css';

const TITLE = 'Sign-in by OpenID Connect';
const FAILED = {
  connect: 'The provider of this sign-in could not be asked. Please try again.',
  disconnect: 'The sign-in could not be disconnected. Please try again.',
};

function ConnectRow({ name }: { readonly name: string }) {
  const proof = useProof();
  const connect = useSend({ mutationFn: () => proof.withProof(beginConnecting) });
  return (
    <>
      <SettingRow
        title={TITLE}
        aside={
          <Status tone="quiet" small>
            Not connected
          </Status>
        }
        actions={
          <Button
            busy={connect.isPending}
            onClick={() => connect.mutate(undefined, { onSuccess: (address) => location.assign(address) })}
          >{`Connect ${name}`}</Button>
        }
      >
        {`Once it is connected, ${name} signs you in here without your password. You are sent there, and back.`}
      </SettingRow>
      {connect.error && !isDeclined(connect.error) && (
        <div className={css.under}>
          <Banner tone="bad" urgent>
            {wordsOf(connect.error, FAILED.connect)}
          </Banner>
        </div>
      )}
      {proof.dialog}
    </>
  );
}

function ConnectedRow({ name, hasPassword }: { readonly name: string | null; readonly hasPassword: boolean }) {
  const proof = useProof();
  const disconnect = useDisconnect(proof.withProof);
  const [isAsking, setAsking] = useState(false);
  const close = (): void => {
    disconnect.reset();
    setAsking(false);
  };
  const provider = name ?? 'the provider';
  return (
    <>
      <SettingRow
        title={TITLE}
        aside={
          <Status tone="ok" small>
            Connected
          </Status>
        }
        actions={hasPassword && <Button onClick={() => setAsking(true)}>Disconnect</Button>}
        reason={!hasPassword && 'It is the only way into your account. To disconnect it, set a password first.'}
      >
        {name === null
          ? 'Your account is connected to a sign-in that is no longer set up here.'
          : `${name} signs you in here without your password.`}
      </SettingRow>
      <Dialog
        open={isAsking}
        onClose={close}
        title={`Disconnect ${provider}?`}
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button
              look="danger"
              busy={disconnect.isPending}
              onClick={() =>
                disconnect.mutate(undefined, {
                  onSuccess: () => {
                    close();
                    showToast('success', 'It is disconnected: your password alone signs you in.');
                  },
                })
              }
            >
              Disconnect
            </Button>
          </>
        }
      >
        <div className={css.form}>
          {disconnect.error && !isDeclined(disconnect.error) && (
            <Banner tone="bad" urgent>
              {wordsOf(disconnect.error, FAILED.disconnect)}
            </Banner>
          )}
          <p>From then on your password alone signs you in. Devices that are signed in stay so.</p>
        </div>
      </Dialog>
      {proof.dialog}
    </>
  );
}

function NotSetUpRow() {
  return (
    <SettingRow
      title={TITLE}
      aside={
        <Status tone="quiet" small>
          Not set up
        </Status>
      }
    >
      To let people sign in by a provider of yours, set <code>OIDC_ISSUER</code>, <code>OIDC_CLIENT_ID</code> and{' '}
      <code>OIDC_CLIENT_SECRET</code>, and start the server again. The README has the rest.
    </SettingRow>
  );
}

/** The other way to sign in. Where none is set up, only who could set one up is told so. The last card: nothing moves when it comes. */
export function ElsewhereCard() {
  const { data: user } = useMe();
  const elsewhere = useElsewhere();
  const { data, error } = elsewhere;
  const isOwner = user !== undefined && runsInstance(user);
  const isShown = data === undefined ? error !== null : data.name !== null || data.isConnected || isOwner;
  if (!isShown) return null;
  return (
    <Card>
      <QueryView query={elsewhere} loading={null} failed="The sign-in by OpenID Connect could not be read.">
        {({ name, isConnected, hasPassword }) =>
          isConnected ? (
            <ConnectedRow name={name} hasPassword={hasPassword} />
          ) : name === null ? (
            <NotSetUpRow />
          ) : (
            <ConnectRow name={name} />
          )
        }
      </QueryView>
    </Card>
  );
}
