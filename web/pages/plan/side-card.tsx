import type { PlanCounts } from '../../api/plans.ts';
import { Card } from '../../components/card.tsx';
import { classNames } from '../../components/class-names.ts';
import { DiffGlyph } from '../../components/diff-glyph.tsx';
import { HiddenText } from '../../components/hidden-text.tsx';
import { SIDE_NAME, type Side } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { formatNumber } from '../../hooks/format.ts';
import { writesOn } from './plan-numbers.ts';
import css from './side-card.module.css';

interface SideCardProps {
  readonly side: Side;
  readonly counts: PlanCounts;
  readonly domain: string;
}

function Figure({ value, kind }: { readonly value: number; readonly kind: 'add' | 'mod' | 'del' }) {
  return <td className={classNames(css.figure, value > 0 && css[kind])}>{formatNumber(value)}</td>;
}

/** What applying the plan writes on one side. */
export function SideCard({ side, counts, domain }: SideCardProps) {
  const { create, update, archive, stock } = counts[side];
  const writes = writesOn(counts, side);
  return (
    <Card board>
      <div className={css.head}>
        <SideTile side={side} size="md" named />
        <div className={css.words}>
          <h2 className={css.name}>{SIDE_NAME[side]}</h2>
          <p className={css.domain}>{domain}</p>
        </div>
        <p className={css.total}>
          <strong>{formatNumber(writes)}</strong> {writes === 1 ? 'write' : 'writes'}
        </p>
      </div>
      <table className={css.table}>
        <caption>
          <HiddenText>Writes on {SIDE_NAME[side]}</HiddenText>
        </caption>
        <thead>
          <tr>
            <th scope="col">Entity</th>
            <th scope="col" className={css.add}>
              <DiffGlyph kind="add" /> Create
            </th>
            <th scope="col" className={css.mod}>
              <DiffGlyph kind="mod" /> Update
            </th>
            <th scope="col" className={css.del}>
              <DiffGlyph kind="del" /> Put away
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Products</th>
            <Figure value={create} kind="add" />
            <Figure value={update} kind="mod" />
            <Figure value={archive} kind="del" />
          </tr>
          <tr>
            <th scope="row">Stock</th>
            <td className={css.figure}>0</td>
            <Figure value={stock} kind="mod" />
            <td className={css.figure}>0</td>
          </tr>
        </tbody>
      </table>
    </Card>
  );
}
