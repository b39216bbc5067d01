import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './data-table.module.css';
import { HiddenText } from './hidden-text.tsx';

export interface Column<T> {
  readonly key: string;
  readonly head: ReactNode;
  readonly cell: (row: T) => ReactNode;
  readonly align?: 'start' | 'end';
  /** Left out of the card that a row becomes on a narrow screen. */
  readonly wideOnly?: boolean;
  /** Takes what the others leave. */
  readonly grow?: boolean;
}

interface DataTableProps<T> {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
}

/** A real table; under 820 px each row becomes a card, in the same order. The first column links to the detail. */
export function DataTable<T>({ caption, columns, rows, rowKey }: DataTableProps<T>) {
  return (
    <table className={css.table}>
      <caption>
        <HiddenText>{caption}</HiddenText>
      </caption>
      <thead>
        <tr>
          {columns.map(({ key, head, align, grow }) => (
            <th key={key} scope="col" className={classNames(align === 'end' && css.end, grow && css.grow)}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ key, head, cell, align, wideOnly, grow }, index) => {
              const style = classNames(align === 'end' && css.end, wideOnly && css.wideOnly, grow && css.grow);
              const content = (
                <>
                  {/* Shown and read out in a card, which has no row of heads. */}
                  {index > 0 && <span className={css.head}>{head}</span>} <span>{cell(row)}</span>
                </>
              );
              return index === 0 ? (
                <th key={key} scope="row" className={style}>
                  {content}
                </th>
              ) : (
                <td key={key} className={style}>
                  {content}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
