import { useEffect, useRef, useState } from 'react';
import { type Conflict, useResolveMany } from '../../api/conflicts.ts';
import { wordsOf } from '../../api/error-words.ts';
import type { BulkResult } from '../../api/resolve-in-portions.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { fieldName, fieldValue } from '../../components/field-value.ts';
import { Meter } from '../../components/meter.tsx';
import { otherSide, SIDE_NAME, type Side } from '../../components/side.ts';
import { formatNumber, plural } from '../../hooks/format.ts';
import css from './bulk-dialog.module.css';
import { bulkEffect, reasonsOf } from './bulk-words.ts';
import { deleteValue, isDelete } from './delete-words.ts';

/** So many are shown one by one: it is read, not counted. */
const SHOWN_MAX = 100;

interface BulkDialogProps {
  /** As they were shown when it was asked for: what moves after that is refused. */
  readonly conflicts: readonly Conflict[];
  readonly side: Side;
  /** How many were resolved; null: nothing was sent. */
  readonly onClose: (done: number | null) => void;
}

function nameOf({ recordTitle, sku, variantLabel, field }: Conflict): string {
  const variant = variantLabel === null || variantLabel === sku ? '' : `, ${variantLabel}`;
  return `${recordTitle}${variant}: ${fieldName(field)}`;
}

/** Each of them: what the other store shows, and what it gets. */
function Each({ conflicts, side }: { readonly conflicts: readonly Conflict[]; readonly side: Side }) {
  const left = conflicts.length - SHOWN_MAX;
  const text = (conflict: Conflict, of: Side) =>
    isDelete(conflict) ? deleteValue(conflict, of) : fieldValue(conflict.field, conflict[of], conflict.currency);
  return (
    <details className={css.each}>
      <summary>Show each of them</summary>
      <ul>
        {conflicts.slice(0, SHOWN_MAX).map((conflict) => (
          <li key={conflict._id}>
            {nameOf(conflict)} <del>{text(conflict, otherSide(side))}</del> <strong>{text(conflict, side)}</strong>
          </li>
        ))}
      </ul>
      {left > 0 && <p>And {formatNumber(left)} more.</p>}
    </details>
  );
}

function Asking({ conflicts, side }: Pick<BulkDialogProps, 'conflicts' | 'side'>) {
  const { summary, fields, deletes } = bulkEffect(conflicts, side);
  return (
    <>
      <p>
        <strong>{summary}</strong>
      </p>
      {fields.length > 0 && (
        <div>
          <p>What {SIDE_NAME[otherSide(side)]} shows there is replaced:</p>
          <ul className={css.fields}>
            {fields.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
      {deletes.length > 0 && (
        <Banner tone="warn">
          {deletes.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Banner>
      )}
      <p>
        One whose value changes before its turn, or that somebody else resolves, is left as it is and listed at the end.
        The values that lose stand in the history of each record.
      </p>
      <Each conflicts={conflicts} side={side} />
    </>
  );
}

function Outcome({ result, total }: { readonly result: BulkResult; readonly total: number }) {
  const { done, notResolved, failure } = result;
  return (
    <>
      {failure && (
        <Banner tone="bad" urgent>
          {wordsOf(failure, 'The rest could not be sent. Please try again.')}
        </Banner>
      )}
      {notResolved.length === 0 ? (
        <p>Both stores get the values now.</p>
      ) : (
        <p>
          {formatNumber(notResolved.length)} of {formatNumber(total)} {notResolved.length === 1 ? 'was' : 'were'} not
          resolved. {done > 0 && 'The others are: both stores get their values now.'}
        </p>
      )}
      {reasonsOf(notResolved).map(({ why, conflicts }) => (
        <section key={why} className={css.reason}>
          <h3>
            {why.replace(/\.$/, '')} ({formatNumber(conflicts.length)})
          </h3>
          <ul>
            {conflicts.slice(0, SHOWN_MAX).map((conflict) => (
              <li key={conflict._id}>{nameOf(conflict)}</li>
            ))}
          </ul>
          {conflicts.length > SHOWN_MAX && <p>And {formatNumber(conflicts.length - SHOWN_MAX)} more.</p>}
        </section>
      ))}
    </>
  );
}

/** Says what one decision about many conflicts does, does it while it can be watched and stopped, and lists what was not done. */
export function BulkDialog({ conflicts, side, onClose }: BulkDialogProps) {
  const resolve = useResolveMany();
  const [answered, setAnswered] = useState<number | null>(null);
  const [isStopping, setStopping] = useState(false);
  const stop = useRef(false);
  const status = useRef<HTMLParagraphElement>(null);
  const total = conflicts.length;
  const result = resolve.data;
  const isRunning = answered !== null && result === undefined;
  const phase = result ? 'over' : isRunning ? 'running' : 'asking';
  useEffect(() => {
    // The button that was pressed is gone.
    if (phase !== 'asking') status.current?.focus();
  }, [phase]);

  const start = (): void => {
    setAnswered(0);
    resolve.mutate({ conflicts, side, onProgress: setAnswered, isStopped: () => stop.current });
  };
  const askToStop = (): void => {
    stop.current = true;
    setStopping(true);
  };
  const close = (): void => {
    if (isRunning) askToStop();
    else onClose(result?.done ?? null);
  };
  const amount = plural(total, 'conflict');
  const title = result
    ? `${plural(result.done, 'conflict')} resolved`
    : isRunning
      ? `Resolving ${amount}`
      : `Keep ${SIDE_NAME[side]} in ${amount}?`;

  return (
    <Dialog
      open
      onClose={close}
      title={title}
      footer={
        result ? (
          <Button look="primary" onClick={close}>
            Close
          </Button>
        ) : isRunning ? (
          <Button busy={isStopping} onClick={askToStop}>
            Stop
          </Button>
        ) : (
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="primary" onClick={start}>
              Resolve {amount}
            </Button>
          </>
        )
      }
    >
      <div className={css.stack}>
        {phase !== 'asking' && (
          <p ref={status} tabIndex={-1} className={css.status}>
            {result
              ? `${formatNumber(result.done)} of ${formatNumber(total)} resolved.`
              : `${formatNumber(answered ?? 0)} of ${formatNumber(total)} answered.`}
          </p>
        )}
        {phase === 'asking' && <Asking conflicts={conflicts} side={side} />}
        {isRunning && (
          <Meter
            label="Progress"
            value={(answered ?? 0) / total}
            valueText={`${formatNumber(answered ?? 0)} of ${formatNumber(total)}`}
          />
        )}
        {result && <Outcome result={result} total={total} />}
      </div>
    </Dialog>
  );
}
