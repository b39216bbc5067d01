import type { ReactNode } from 'react';
import { HiddenText } from './hidden-text.tsx';
import css from './plain-table.module.css';

interface PlainTableProps {
  readonly caption: string;
  readonly columns: readonly string[];
  /** The first cell names the row. */
  readonly rows: readonly (readonly [string, ...ReactNode[]])[];
}

/** A table to read. Under 820 px each row is a card that names its columns. */
export function PlainTable({ caption, columns, rows }: PlainTableProps) {
  return (
    <table className={css.table}>
      <caption>
        <HiddenText>{caption}</HiddenText>
      </caption>
      <thead className={css.heads}>
        <tr>
          {columns.map((column) =>
            column === '' ? (
              <td key={column} className={css.head} />
            ) : (
              <th key={column} scope="col" className={css.head}>
                {column}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody className={css.body}>
        {rows.map(([name, ...cells]) => (
          <tr key={name} className={css.row}>
            <th scope="row" className={css.name}>
              {name}
            </th>
            {cells.map((cell, index) => (
              <td key={columns[index + 1]} className={css.cell} data-column={columns[index + 1]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
