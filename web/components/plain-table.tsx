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
      <thead>
        <tr>
          {columns.map((column) =>
            column === '' ? (
              <td key={column} />
            ) : (
              <th key={column} scope="col">
                {column}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, index) => (
              <td key={columns[index + 1]} data-column={columns[index + 1]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
