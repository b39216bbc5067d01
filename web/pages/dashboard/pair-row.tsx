import { GitPullRequestArrow, Pause, Play, RefreshCw } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { knownAs } from '../../api/known-as.ts';
import { pairName } from '../../api/pair-name.ts';
import { type HeartbeatBar, type Pair, usePausePair, useSyncNow } from '../../api/pairs.ts';
import { useMakePlan } from '../../api/plans.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Heartbeat } from '../../components/heartbeat.tsx';
import { HiddenText } from '../../components/hidden-text.tsx';
import { Level } from '../../components/level.tsx';
import { Meter } from '../../components/meter.tsx';
import { ReasonedButton, ReasonedIconButton } from '../../components/reasoned-button.tsx';
import { LEVEL_AS } from '../../components/record-state.tsx';
import { SIDE_NAME, type Side } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { Status } from '../../components/status.tsx';
import { Tag } from '../../components/tag.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { formatAccuracy, formatAgo, formatNumber, plural } from '../../hooks/format.ts';
import { useNow } from '../../hooks/use-now.ts';
import { link } from '../../routes.ts';
import { tellFailure, tellSyncFailure } from '../../tell-failure.ts';
import css from './pair-row.module.css';
import { pairStatus } from './pair-status.ts';

const SCHEDULE = {
  manual: 'Only by hand',
  realtime: 'Real time',
  hourly: 'Hourly',
  daily: 'Daily',
  weekly: 'Weekly',
} as const;

const STANDING = 'The pair is paused or halted. Resume it first.';

export function StoreEnd({ side, name, note }: { readonly side: Side; readonly name: string; readonly note?: string }) {
  return (
    <div className={css.end} data-side={side}>
      <SideTile side={side} size="lg" named />
      <div className={css.words}>
        <p className={css.domain}>{name}</p>
        <p className={css.platform}>{note || SIDE_NAME[side]}</p>
      </div>
    </div>
  );
}

function Facts({ pair }: { readonly pair: Pair }) {
  const now = useNow();
  const { records, level, conflicts, problems } = pair.counts;
  const isLevel = level === records;
  const known = knownAs(pair);
  return (
    <dl className={css.facts}>
      {records > 0 && (
        <div>
          {/* What has happened in the stores since is not known. */}
          <dt>{LEVEL_AS[known]}</dt>
          <dd>
            {formatNumber(level)} of {plural(records, 'record')}{' '}
            {known === 'now' && (
              <Level tilt={isLevel ? 'level' : 'left'} label={isLevel ? 'All are level' : 'Not all are level'} />
            )}
          </dd>
        </div>
      )}
      <div>
        <dt>Schedule</dt>
        <dd>{SCHEDULE[pair.settings.syncSchedule]}</dd>
      </div>
      <div>
        <dt>Last sync</dt>
        <dd>{pair.lastSyncAt ? formatAgo(pair.lastSyncAt, now) : TEXT.dashboard.neverSynced}</dd>
      </div>
      {pair.accuracy && (
        <div>
          <dt>Measured accuracy</dt>
          <dd
            title={`${formatNumber(pair.accuracy.equal)} of ${plural(pair.accuracy.compared, 'field')} were equal when both catalogues were read ${formatAgo(pair.accuracy.at, now)}`}
          >
            {formatAccuracy(pair.accuracy)}, {formatAgo(pair.accuracy.at, now)}
          </dd>
        </div>
      )}
      <div>
        <dt>Conflicts</dt>
        <dd>{conflicts === 0 ? 'None' : <Link href={link.conflicts()}>{`${formatNumber(conflicts)} open`}</Link>}</dd>
      </div>
      {problems > 0 && (
        <div>
          <dt>Problems</dt>
          <dd>
            <Link href={link.problems()}>{`${formatNumber(problems)} open`}</Link>
          </dd>
        </div>
      )}
    </dl>
  );
}

export function PairRow({ pair, heartbeat }: { readonly pair: Pair; readonly heartbeat: readonly HeartbeatBar[] }) {
  const whyNoSync = useWhyNot('sync');
  const whyNoPause = useWhyNot('pause');
  const whyNoPlan = useWhyNot('plan');
  const sync = useSyncNow();
  const pause = usePausePair();
  const makePlan = useMakePlan();
  const [, navigate] = useLocation();
  const name = pairName(pair);
  // Rows of one store look alike, and so do their buttons.
  const ofPair = <HiddenText>, {name}</HiddenText>;
  const [tone, word] = pairStatus(pair);
  const isStanding = pair.status === 'paused' || pair.status === 'halted';
  const needsPlan = pair.status === 'setup';

  const preview = (): void => {
    makePlan
      .mutateAsync(pair._id)
      .then(({ plan }) => navigate(link.plan(plan._id)), tellFailure(`Could not make a plan for ${name}.`));
  };

  return (
    <li className={css.row}>
      <div className={css.top}>
        <h3 className={css.name}>
          {pair.woocommerce.name}
          <HiddenText> and {pair.shopify.name}</HiddenText>
        </h3>
        {pair.isSandbox && <Tag>Sandbox</Tag>}
        <Status tone={tone} small>
          {word}
        </Status>
        <div className={css.actions}>
          {needsPlan && pair.openPlanId ? (
            <ButtonLink href={link.plan(pair.openPlanId)} size="sm" icon={<GitPullRequestArrow aria-hidden="true" />}>
              Read the plan{ofPair}
            </ButtonLink>
          ) : (
            <ReasonedButton
              reason={whyNoPlan}
              look={needsPlan ? 'default' : 'ghost'}
              size="sm"
              icon={<GitPullRequestArrow aria-hidden="true" />}
              busy={makePlan.isPending}
              onClick={preview}
            >
              Preview{ofPair}
            </ReasonedButton>
          )}
          {pair.runningRunId ? (
            <ButtonLink href={link.run(pair.runningRunId)} size="sm">
              See the run{ofPair}
            </ButtonLink>
          ) : (
            !needsPlan && (
              <ReasonedButton
                reason={whyNoSync ?? (isStanding ? STANDING : null)}
                size="sm"
                icon={<RefreshCw aria-hidden="true" />}
                busy={sync.isPending}
                onClick={() => void sync.mutateAsync({ pairId: pair._id }).catch(tellSyncFailure)}
              >
                {TEXT.dashboard.syncNow}
                {ofPair}
              </ReasonedButton>
            )
          )}
          {pair.status === 'halted' ? (
            <ButtonLink href={link.plans()} size="sm">
              See why{ofPair}
            </ButtonLink>
          ) : (
            !needsPlan && (
              <ReasonedIconButton
                reason={whyNoPause}
                size="sm"
                label={`${isStanding ? 'Resume' : 'Pause'} ${name}`}
                icon={isStanding ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
                onClick={() =>
                  void pause
                    .mutateAsync({ id: pair._id, pause: !isStanding })
                    .catch(tellFailure(`Could not ${isStanding ? 'resume' : 'pause'} ${name}.`))
                }
              />
            )
          )}
          <ButtonLink href={link.stores({ pair: pair._id })} look="ghost" size="sm">
            Configure{ofPair}
          </ButtonLink>
        </div>
      </div>
      <div className={css.ends}>
        <StoreEnd side="woocommerce" name={pair.woocommerce.name} note={pair.woocommerce.domain} />
        {pair.runningRunId ? (
          <Meter label="Sync in progress" value={null} />
        ) : (
          <Heartbeat bars={heartbeat} href={link.history()} />
        )}
        <StoreEnd side="shopify" name={pair.shopify.name} note={pair.shopify.domain} />
      </div>
      {pair.halt && <p className={css.halt}>{pair.halt.message}</p>}
      <Facts pair={pair} />
    </li>
  );
}
