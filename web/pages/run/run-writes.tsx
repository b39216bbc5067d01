import type { RunItem } from '../../api/runs.ts';
import { ValueChange } from '../../components/feed-row.tsx';
import { fieldValue } from '../../components/field-value.ts';
import { Lane } from '../../components/lane.tsx';
import { plural } from '../../hooks/format.ts';
import css from './run-writes.module.css';
import { type Write, writeTitle } from './write-title.ts';

/** Whole descriptions would hide the list; the record's page has them. */
const VALUE_MAX = 60;

function Values({ write, currency }: { readonly write: Write; readonly currency: string | null }) {
  const [from, to] = [write.from, write.to].map((value) => fieldValue(write.field, value, currency)) as [
    string,
    string,
  ];
  if (write.field === 'created' || from.length > VALUE_MAX || to.length > VALUE_MAX) return null;
  return <ValueChange from={from} to={to} />;
}

interface RunWritesProps {
  readonly item: Pick<RunItem, 'writes' | 'writeCount'>;
  readonly currency: string | null;
}

/** Which fields of a record a run wrote, and to which store. */
export function RunWrites({ item: { writes, writeCount }, currency }: RunWritesProps) {
  if (writes.length === 0) return null;
  return (
    <ul className={css.list}>
      {writes.map((write) => (
        <li key={`${write.side}/${write.field}/${write.variantLabel}`} className={css.write}>
          <Lane to={write.side} order="story" />
          <span className={css.words}>
            <span className={css.field}>{writeTitle(write)}</span> <Values write={write} currency={currency} />
          </span>
        </li>
      ))}
      {writeCount > writes.length && (
        <li className={css.more}>{`and ${plural(writeCount - writes.length, 'field')} more`}</li>
      )}
    </ul>
  );
}
