import { ChevronRight, KeyRound, PlugZap, SlidersHorizontal, Truck, Unplug } from 'lucide-react';
import { useState } from 'react';
import { type Store, useDisconnectStore, useTestStore } from '../../api/stores.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FindingList } from '../../components/finding-list.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { SIDE_NAME } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { Status } from '../../components/status.tsx';
import { Tag } from '../../components/tag.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { STORE_SETTINGS } from '../../content/store-settings.ts';
import { formatAgo, formatDuration, formatNumber, plural } from '../../hooks/format.ts';
import { useNow } from '../../hooks/use-now.ts';
import { tellFailure } from '../../tell-failure.ts';
import { KeysSheet } from './keys-sheet.tsx';
import { MoveSheet } from './move-sheet.tsx';
import { SettingsSheet } from './settings-sheet.tsx';
import { awayWords, shutOutWords } from './shut-out-words.ts';
import css from './store-row.module.css';

const PAIRED = 'The store belongs to a pair. Remove the pair first: Overview, Configure.';

function Facts({ store }: { readonly store: Store }) {
  const now = useNow();
  const { health, syncStats } = store;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Products', formatNumber(syncStats.totalProducts)],
    ['Version', store.platformVersion],
    ['Currency', store.currency],
    ['Time zone', store.timeZone],
    ['Median response time', health.latencyP50Ms === null ? null : formatDuration(health.latencyP50Ms)],
    ['Calls since start', health.callCount === 0 ? null : formatNumber(health.callCount)],
    ['Last contact', health.lastContactAt === null ? null : formatAgo(health.lastContactAt, now)],
  ];
  return (
    <dl className={css.facts}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** A store with what its doctor last found. What is fine is folded away; what is not stands open. */
export function StoreRow({ store }: { readonly store: Store }) {
  const why = useWhyNot('stores');
  const whyNoTest = useWhyNot('test');
  const test = useTestStore();
  const disconnect = useDisconnectStore();
  const [isAsking, setAsking] = useState(false);
  const [isRenewing, setRenewing] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const [isSetting, setSetting] = useState(false);
  const isPaired = store.pairIds.length > 0;
  const isShut = store.status !== 'connected';
  const isHealthy = !isShut && store.health.connectionStatus !== 'error';
  const bad = store.findings.filter(({ level }) => level !== 'ok');

  return (
    <li>
      <Card>
        <div className={css.top}>
          <SideTile side={store.platform} size="lg" named />
          <div className={css.words}>
            <h2 className={css.name}>
              {store.name} {store.isSandbox && <Tag>Sandbox</Tag>}
            </h2>
            <p className={css.domain}>
              {SIDE_NAME[store.platform]}, {store.domain}
            </p>
          </div>
          <Status tone={isHealthy ? 'ok' : 'bad'}>
            {isHealthy ? 'Connected' : isShut ? 'Does not let us in' : 'Does not answer'}
          </Status>
          <div className={css.actions}>
            <ReasonedButton
              size="sm"
              icon={<PlugZap aria-hidden="true" />}
              reason={whyNoTest}
              busy={test.isPending}
              onClick={() => test.mutateAsync(store._id).catch(tellFailure(`Could not test ${store.name}.`))}
            >
              Test connection
            </ReasonedButton>
            {!store.isSandbox && (
              <>
                <ReasonedButton
                  size="sm"
                  look={isShut ? 'primary' : 'ghost'}
                  icon={<KeyRound aria-hidden="true" />}
                  reason={why}
                  onClick={() => setRenewing(true)}
                >
                  New keys
                </ReasonedButton>
                <ReasonedButton
                  size="sm"
                  look="ghost"
                  icon={<Truck aria-hidden="true" />}
                  reason={why}
                  onClick={() => setMoving(true)}
                >
                  {TEXT.moveStore.open}
                </ReasonedButton>
              </>
            )}
            <ReasonedButton
              size="sm"
              look="ghost"
              icon={<SlidersHorizontal aria-hidden="true" />}
              reason={why}
              onClick={() => setSetting(true)}
            >
              {STORE_SETTINGS.open}
            </ReasonedButton>
            <ReasonedButton
              size="sm"
              look="ghost"
              icon={<Unplug aria-hidden="true" />}
              reason={why ?? (isPaired ? PAIRED : null)}
              onClick={() => setAsking(true)}
            >
              Disconnect
            </ReasonedButton>
          </div>
        </div>
        {!isHealthy && (!isShut || store.statusReason) && (
          <p className={css.reason}>{isShut ? shutOutWords(store) : awayWords(store)}</p>
        )}
        <Facts store={store} />
        {store.findings.length > 0 && (
          <details className={css.details} open={bad.length > 0}>
            <summary>
              <ChevronRight aria-hidden="true" />
              {/* What was found before says nothing of now. */}
              {!isHealthy && 'When it was last tested: '}
              {bad.length === 0
                ? `All ${plural(store.findings.length, 'check')} passed`
                : `${plural(bad.length, 'check')} of ${formatNumber(store.findings.length)} to look at`}
            </summary>
            <FindingList findings={store.findings} />
          </details>
        )}
      </Card>
      <KeysSheet store={store} open={isRenewing} onClose={() => setRenewing(false)} />
      <MoveSheet store={store} open={isMoving} onClose={() => setMoving(false)} />
      <SettingsSheet store={store} open={isSetting} onClose={() => setSetting(false)} />
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Disconnect ${store.name}?`}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button
              look="danger"
              busy={disconnect.isPending}
              onClick={() =>
                void disconnect
                  .mutateAsync(store._id)
                  .catch(tellFailure(`Could not disconnect ${store.name}.`))
                  .finally(() => setAsking(false))
              }
            >
              Disconnect {store.name}
            </Button>
          </>
        }
      >
        <p>Its keys are forgotten here and its webhooks removed. Nothing in the store itself is changed.</p>
      </Dialog>
    </li>
  );
}
