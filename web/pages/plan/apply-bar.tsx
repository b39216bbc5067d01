import { Clock, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import type { PlanWithItems } from '../../api/plans.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Kbd } from '../../components/kbd.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { formatMoment, plural } from '../../hooks/format.ts';
import { COMMAND_KEY, useCommandKey } from '../../hooks/use-hotkey.ts';
import { useOnline } from '../../hooks/use-online.ts';
import css from './apply-bar.module.css';
import { writesOf } from './plan-numbers.ts';

interface ApplyBarProps {
  readonly plan: PlanWithItems;
  /** The pair is not linked yet. */
  readonly isFirst: boolean;
  readonly canApply: boolean;
  /** Why the person may neither apply nor discard it; null: they may. */
  readonly reason: string | null;
  readonly isApplying: boolean;
  readonly isBusy: boolean;
  readonly onApply: () => void;
  readonly onDiscard: () => void;
}

function applyLabel(writes: number, linked: number, isFirst: boolean): string {
  if (writes > 0) return `Apply ${plural(writes, 'change')}`;
  return isFirst && linked === 0 ? 'Start the sync' : `Link ${plural(linked, 'record')}`;
}

/** Always in view: how old the plan is, what is safe about it, and the two ways on. Putting records away is asked once more. */
export function ApplyBar({ plan, isFirst, canApply, reason, isApplying, isBusy, onApply, onDiscard }: ApplyBarProps) {
  const isOnline = useOnline();
  const [isAsking, setAsking] = useState(false);
  const archived = plan.counts.woocommerce.archive + plan.counts.shopify.archive;
  const label = applyLabel(writesOf(plan.counts), plan.counts.linked, isFirst);
  const start = (): void => {
    if (archived > 0) setAsking(true);
    else onApply();
  };
  const isReady = canApply && isOnline && reason === null;
  useCommandKey('Enter', isReady && !isApplying ? start : null);
  return (
    <div className={css.bar}>
      <div className={css.facts}>
        <p className={css.fact}>
          <Clock aria-hidden="true" />
          <span>
            Planned at <strong>{formatMoment(plan.readyAt ?? plan.createdAt)}</strong>. Stock is read again when it is
            applied.
          </span>
        </p>
        <p className={css.fact} data-safety>
          <ShieldCheck aria-hidden="true" />
          <span>Records that change before that are left out, and listed in the run.</span>
        </p>
      </div>
      <div className={css.actions}>
        <ReasonedButton reason={reason} busy={isBusy} onClick={onDiscard}>
          Discard
        </ReasonedButton>
        <ReasonedButton
          look="primary"
          reason={reason}
          busy={isApplying}
          disabled={!isReady}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={start}
        >
          <span className={css.label}>
            {label}
            <span className={css.keys}>
              <Kbd>{`${COMMAND_KEY}\u2009Enter`}</Kbd>
            </span>
          </span>
        </ReasonedButton>
      </div>
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Put ${plural(archived, 'record')} away?`}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button
              look="primary"
              onClick={() => {
                setAsking(false);
                onApply();
              }}
            >
              {label}
            </Button>
          </>
        }
      >
        <p>
          {plural(archived, 'record')} whose counterpart was deleted will be set to draft or archived. Nothing is
          deleted for good, and each comes back when its counterpart is restored.
        </p>
      </Dialog>
    </div>
  );
}
