import { ArrowLeft, ArrowRight, MoveHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './diff-table.module.css';
import { HiddenText } from './hidden-text.tsx';
import { SIDE_NAME, type Side } from './side.ts';

export interface DiffCell {
  readonly value: ReactNode;
  /** What this side is written over with the value; absent where the cell is the source. */
  readonly old?: ReactNode;
  readonly isTarget: boolean;
}

export interface DiffRow {
  readonly key: string;
  readonly field: ReactNode;
  /** Under the field's name: the rule by which a number comes about. */
  readonly note?: ReactNode;
  readonly kind: 'add' | 'mod' | 'del';
  readonly woocommerce: DiffCell;
  readonly shopify: DiffCell;
}

function Arrow({ row }: { readonly row: DiffRow }) {
  const toLeft = row.woocommerce.isTarget;
  const toRight = row.shopify.isTarget;
  const Icon = toLeft && toRight ? MoveHorizontal : toLeft ? ArrowLeft : ArrowRight;
  return <Icon className={css.arrow} aria-hidden="true" />;
}

function Cell({ side, row }: { readonly side: Side; readonly row: DiffRow }) {
  const cell = row[side];
  return (
    <td className={classNames(css.cell, css[side], cell.isTarget && css[row.kind])}>
      {/* Shown and read out where there is no room for a row of heads. */}
      <span className={css.sideName}>{SIDE_NAME[side]}</span>{' '}
      <span className={css.values}>
        {cell.old !== undefined && <del className={css.old}>{cell.old}</del>}
        {cell.isTarget ? <ins className={css.new}>{cell.value}</ins> : <span>{cell.value}</span>}
      </span>
    </td>
  );
}

interface DiffTableProps {
  readonly caption: string;
  readonly rows: readonly DiffRow[];
}

/** Field by field: left, which way, right. The side that is written is tinted, the other one plain. */
export function DiffTable({ caption, rows }: DiffTableProps) {
  return (
    <table className={css.table}>
      <caption>
        <HiddenText>{caption}</HiddenText>
      </caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">WooCommerce</th>
          <th scope="col" className={css.arrowColumn}>
            <HiddenText>Direction</HiddenText>
          </th>
          <th scope="col">Shopify</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row" className={css.field}>
              {row.field}
              {row.note && <span className={css.note}>{row.note}</span>}
            </th>
            <Cell side="woocommerce" row={row} />
            <td className={css.arrowCell}>
              <Arrow row={row} />
              <HiddenText>
                {row.woocommerce.isTarget && row.shopify.isTarget
                  ? 'both are written'
                  : row.woocommerce.isTarget
                    ? 'to WooCommerce'
                    : 'to Shopify'}
              </HiddenText>
            </td>
            <Cell side="shopify" row={row} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}
