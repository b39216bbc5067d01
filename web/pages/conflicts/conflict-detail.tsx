import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { type Conflict, useResolveConflicts } from '../../api/conflicts.ts';
import { wordsOf } from '../../api/error-words.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Banner } from '../../components/banner.tsx';
import { type Choice, ConflictOptions } from '../../components/conflict-options.tsx';
import { fieldName, fieldValue } from '../../components/field-value.ts';
import { artFor, ProductThumb } from '../../components/product-art.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { otherSide, SIDE_NAME } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { showToast } from '../../components/toast.tsx';
import { plural } from '../../hooks/format.ts';
import { useIsHere } from '../../hooks/use-is-here.ts';
import { useOnline } from '../../hooks/use-online.ts';
import { link } from '../../routes.ts';
import { tellFailure } from '../../tell-failure.ts';
import css from './conflict-detail.module.css';
import { deleteFate, deleteTitle, deleteValue, isDelete } from './delete-words.ts';
import type { ConflictedRecord } from './group-conflicts.ts';
import { settledWords, takenFrom } from './settled-words.ts';

/** The heading of the record that is shown: it gets the focus where a person's act brought it. */
export const RECORD_HEADING = 'conflict-record';

interface ConflictDetailProps {
  readonly record: ConflictedRecord;
  readonly onBack: () => void;
  /** Choices were stored; `isSettled`: none is left to make here. */
  readonly onSaved: (isSettled: boolean) => void;
}

function textOf(conflict: Conflict, choice: Choice): string {
  if (choice !== 'agreed' && isDelete(conflict)) return deleteValue(conflict, choice);
  return fieldValue(conflict.field, conflict[choice], conflict.currency);
}

/** What the choices will write, before they do. */
function Outcome({ conflicts, choices }: { readonly conflicts: readonly Conflict[]; readonly choices: Choices }) {
  const lines = conflicts.flatMap((conflict) => {
    const choice = choices[conflict._id]?.choice;
    if (!choice) return [];
    const sides = choice === 'agreed' ? (['woocommerce', 'shopify'] as const) : [otherSide(choice)];
    return sides.map((side) => ({ side, conflict, choice }));
  });
  if (lines.length === 0) return null;
  return (
    <div className={css.outcome}>
      <h3>After you resolve</h3>
      <ul>
        {lines.map(({ side, conflict, choice }) => (
          <li key={`${conflict._id}/${side}`}>
            <SideTile side={side} named />{' '}
            {choice !== 'agreed' && isDelete(conflict) ? (
              <span className={css.fate}>
                The product that {SIDE_NAME[conflict.side]} deleted: {deleteFate(conflict.side, choice)}.
              </span>
            ) : (
              <>
                {SIDE_NAME[side]} gets {fieldName(conflict.field)} <strong>{textOf(conflict, choice)}</strong>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

type Choices = Readonly<Record<string, { readonly choice: Choice; readonly version: number }>>;

export function ConflictDetail({ record, onBack, onSaved }: ConflictDetailProps) {
  const why = useWhyNot('settle');
  const resolve = useResolveConflicts();
  const isHere = useIsHere();
  const isOnline = useOnline();
  const [picked, setPicked] = useState<Choices>({});
  const [problem, setProblem] = useState<string | null>(null);
  const open = record.conflicts.filter(({ state }) => state === 'open');
  // A value that moved since takes its choice with it.
  const choices: Choices = Object.fromEntries(
    open.flatMap(({ _id, version }) => {
      const choice = picked[_id];
      return choice && choice.version === version ? [[_id, choice]] : [];
    }),
  );
  const chosen = open.filter(({ _id }) => choices[_id]);

  const pickAll = (choice: Choice): void =>
    setPicked(Object.fromEntries(open.map(({ _id, version }) => [_id, { choice, version }])));

  // By the promise: with its last conflict the record leaves the list, and this is gone before a callback would be called.
  const save = async (): Promise<void> => {
    if (resolve.isPending) return;
    setProblem(null);
    try {
      await resolve.mutateAsync(
        chosen.flatMap(({ _id, version }) => {
          const choice = choices[_id]?.choice;
          return choice ? [{ id: _id, choice, expectedVersion: version }] : [];
        }),
      );
      showToast('success', `${record.title}: ${plural(chosen.length, 'field')} resolved.`);
      onSaved(chosen.length === open.length);
    } catch (error) {
      if (!isHere()) return tellFailure(`Could not resolve ${record.title}.`)(error);
      setProblem(
        error instanceof ApiError && error.code === 'CONFLICT_MOVED'
          ? 'A value changed meanwhile. It is shown as it is now: choose again.'
          : wordsOf(error, 'The conflict could not be resolved. Please try again.'),
      );
    }
  };

  return (
    <section className={css.detail} aria-labelledby={RECORD_HEADING}>
      <button type="button" className={css.back} onClick={onBack}>
        <ArrowLeft aria-hidden="true" /> All conflicts
      </button>
      <header className={css.head}>
        <ProductThumb art={artFor(record.title, record.sku)} />
        <div className={css.words}>
          <h2 id={RECORD_HEADING} tabIndex={-1}>
            {record.title}
          </h2>
          <p className={css.meta}>
            {record.sku !== '' && <code>{record.sku}</code>}
            <Link href={link.record(record.recordId)}>Field history</Link>
          </p>
        </div>
        {open.length > 0 && (
          <div className={css.all}>
            {(['woocommerce', 'shopify'] as const).map((side) => (
              <ReasonedButton
                key={side}
                size="sm"
                icon={<SideTile side={side} named />}
                reason={why}
                onClick={() => pickAll(side)}
              >
                {`Keep all ${SIDE_NAME[side]}`}
              </ReasonedButton>
            ))}
          </div>
        )}
      </header>
      {problem && (
        <Banner tone="bad" urgent>
          {problem}
        </Banner>
      )}
      {record.conflicts.map((conflict) => (
        <ConflictOptions
          key={conflict._id}
          name={conflict._id}
          title={isDelete(conflict) ? deleteTitle(conflict) : fieldName(conflict.field)}
          note={conflict.variantLabel === record.sku ? '' : (conflict.variantLabel ?? '')}
          woocommerce={textOf(conflict, 'woocommerce')}
          agreed={isDelete(conflict) ? null : textOf(conflict, 'agreed')}
          shopify={textOf(conflict, 'shopify')}
          value={conflict.state === 'closed' ? takenFrom(conflict) : (choices[conflict._id]?.choice ?? null)}
          closed={conflict.state === 'closed' ? settledWords(conflict) : null}
          onChoose={(choice) =>
            setPicked((known) => ({ ...known, [conflict._id]: { choice, version: conflict.version } }))
          }
        />
      ))}
      <Outcome conflicts={chosen} choices={choices} />
      {open.length > 0 && (
        <footer className={css.foot}>
          <ReasonedButton
            look="primary"
            reason={why}
            busy={resolve.isPending}
            disabled={chosen.length === 0 || !isOnline}
            onClick={() => void save()}
          >
            {chosen.length < 2 ? 'Resolve' : `Resolve ${chosen.length} fields`}
          </ReasonedButton>
        </footer>
      )}
    </section>
  );
}
