import { fieldName } from '../../components/field-value.ts';
import { artFor, ProductThumb } from '../../components/product-art.tsx';
import { formatAgo } from '../../hooks/format.ts';
import { useNow } from '../../hooks/use-now.ts';
import css from './conflict-list.module.css';
import { deleteTitle, isDelete } from './delete-words.ts';
import type { ConflictedRecord } from './group-conflicts.ts';

interface ConflictListProps {
  readonly records: readonly ConflictedRecord[];
  /** Null: what is shown is not in the list. */
  readonly currentId: string | null;
  readonly onOpen: (recordId: string) => void;
  /** Chosen for one decision about several; null: there is nothing to decide in this list. */
  readonly chosen: ReadonlySet<string> | null;
  readonly onToggle: (recordId: string) => void;
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });

function fieldsOf({ conflicts }: ConflictedRecord): string {
  const deletion = conflicts.find(isDelete);
  const fields = conflicts.filter((conflict) => !isDelete(conflict));
  const names = [...new Set(fields.map(({ field }) => fieldName(field).toLowerCase()))];
  const isOpen = conflicts.some(({ state }) => state === 'open');
  const text = `${LIST.format(names)} ${isOpen ? (names.length === 1 ? 'differs' : 'differ') : 'differed'}`;
  const parts = names.length === 0 ? [] : [text.charAt(0).toUpperCase() + text.slice(1)];
  return [...(deletion ? [deleteTitle(deletion)] : []), ...parts].join('. ');
}

/** When it began to wait; of what is settled, when it was. */
function momentOf({ openedAt, conflicts }: ConflictedRecord): string {
  if (conflicts.some(({ state }) => state === 'open')) return openedAt;
  return conflicts.reduce((last, { closedAt }) => (closedAt !== null && closedAt > last ? closedAt : last), openedAt);
}

/** The element of a record in the list. */
export function listItemId(recordId: string): string {
  return `conflict-${recordId}`;
}

export function ConflictList({ records, currentId, onOpen, chosen, onToggle }: ConflictListProps) {
  const now = useNow(30_000);
  return (
    <ul className={css.list} aria-label="Records with conflicts">
      {records.map((record) => (
        <li key={record.recordId} className={css.row}>
          {chosen && (
            <label className={css.check}>
              <input
                type="checkbox"
                aria-label={`Choose ${record.title}`}
                checked={chosen.has(record.recordId)}
                onChange={() => onToggle(record.recordId)}
              />
            </label>
          )}
          <button
            type="button"
            id={listItemId(record.recordId)}
            className={css.item}
            aria-current={record.recordId === currentId ? 'true' : undefined}
            onClick={() => onOpen(record.recordId)}
          >
            <ProductThumb art={artFor(record.title, record.sku)} />
            <span className={css.words}>
              <span className={css.title}>{record.title}</span>
              <span className={css.fields}>{fieldsOf(record)}</span>
            </span>
            <span className={css.when}>{formatAgo(momentOf(record), now)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
