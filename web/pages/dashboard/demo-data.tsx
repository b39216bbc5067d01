import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useLoadDemoData, useRemoveDemoData } from '../../api/demo.ts';
import { wordsOf } from '../../api/error-words.ts';
import { useInstance } from '../../api/instance.ts';
import type { Pair } from '../../api/pairs.ts';
import { useUser } from '../../api/session.ts';
import type { Store } from '../../api/stores.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { showToast } from '../../components/toast.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { plural } from '../../hooks/format.ts';
import css from './demo-data.module.css';
import { DEMO_DATA } from './demo-words.ts';

/** Adds sandbox stores to the workspace, after saying what they are and how they end. */
export function LoadDemoData({ size = 'md' }: { readonly size?: 'sm' | 'md' }) {
  const load = useLoadDemoData();
  const reason = useWhyNot('demoData');
  const [isAsking, setAsking] = useState(false);
  const close = (): void => setAsking(false);
  // By the promise, and what is told in a toast: the first store that is there already takes this button, and its dialog, away.
  const loadNow = (): void => {
    load
      .mutateAsync()
      .then(
        ({ demoData }) => showToast('success', DEMO_DATA.loaded(demoData.stores.length)),
        (error: Error) => showToast('error', wordsOf(error, TEXT.dashboard.demoFailed)),
      )
      .finally(close);
  };
  return (
    <>
      <ReasonedButton
        size={size}
        reason={reason}
        icon={<FlaskConical aria-hidden="true" />}
        onClick={() => setAsking(true)}
      >
        {TEXT.dashboard.loadDemo}
      </ReasonedButton>
      <Dialog
        open={isAsking}
        onClose={close}
        title={TEXT.dashboard.loadDemo}
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="primary" busy={load.isPending} onClick={loadNow}>
              {TEXT.dashboard.loadDemo}
            </Button>
          </>
        }
      >
        <div className={css.words}>
          <p>
            Three sandbox stores are added to this workspace: a WooCommerce and a Shopify store that are a pair, and a
            second WooCommerce store without a partner. This server runs them, and the engine that real stores use keeps
            the two the same.
          </p>
          <p>
            They are marked “Sandbox” and touch none of your own stores. While they are here, the figures of this
            workspace count them.
          </p>
          <p>You remove them in one click. {DEMO_DATA.ends}</p>
        </div>
      </Dialog>
    </>
  );
}

interface DemoDataProps {
  readonly stores: readonly Store[];
  readonly pairs: readonly Pair[];
}

function RemoveDemoData({ stores, pairs }: DemoDataProps) {
  const remove = useRemoveDemoData();
  const reason = useWhyNot('demoData');
  const [isAsking, setAsking] = useState(false);
  const records = pairs.reduce((sum, { counts }) => sum + counts.records, 0);
  const close = (): void => setAsking(false);
  const removeNow = (): void => {
    remove
      .mutateAsync()
      .then(
        () => showToast('success', DEMO_DATA.removed),
        (error: Error) => showToast('error', wordsOf(error, DEMO_DATA.removeFailed)),
      )
      .finally(close);
  };
  return (
    <>
      <ReasonedButton size="sm" reason={reason} onClick={() => setAsking(true)}>
        {DEMO_DATA.remove}
      </ReasonedButton>
      <Dialog
        open={isAsking}
        onClose={close}
        title={`${DEMO_DATA.remove}?`}
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="danger" busy={remove.isPending} onClick={removeNow}>
              {DEMO_DATA.remove}
            </Button>
          </>
        }
      >
        <div className={css.words}>
          <p>
            {plural(stores.length, 'sandbox store')} go{stores.length === 1 ? 'es' : ''}, with{' '}
            {plural(pairs.length, 'pair')} and {plural(records, 'record')}, their runs, plans and history. It can not be
            undone.
          </p>
          <ul className={css.names}>
            {stores.map(({ _id, name }) => (
              <li key={_id}>{name}</li>
            ))}
          </ul>
          <p>Your own stores stay as they are. The audit log keeps who added and removed it.</p>
        </div>
      </Dialog>
    </>
  );
}

/** Adds the sandbox, or takes it away; nothing where an instance has no demo, or all of the workspace is one. */
export function DemoData({ stores, pairs }: DemoDataProps) {
  const isThere = useInstance()?.isDemoAvailable === true;
  const user = useUser();
  if (!isThere || !user || user.isDemo) return null;
  const sandboxes = stores.filter(({ isSandbox }) => isSandbox);
  if (sandboxes.length === 0) return <LoadDemoData size="sm" />;
  return (
    <>
      <RemoveDemoData stores={sandboxes} pairs={pairs.filter(({ isSandbox }) => isSandbox)} />
      <p className={css.ends}>{DEMO_DATA.ends}</p>
    </>
  );
}
