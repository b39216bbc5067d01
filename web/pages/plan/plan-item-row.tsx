import { ChevronDown, ChevronRight, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import type { PlanItem } from '../../api/plans.ts';
import { DiffGlyph } from '../../components/diff-glyph.tsx';
import { type DiffRow, DiffTable } from '../../components/diff-table.tsx';
import { HiddenText } from '../../components/hidden-text.tsx';
import { Lane } from '../../components/lane.tsx';
import { artFor, ProductThumb } from '../../components/product-art.tsx';
import { SIDE_NAME } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { Tag } from '../../components/tag.tsx';
import { link } from '../../routes.ts';
import { diffRowsOf } from './diff-rows.tsx';
import css from './plan-item-row.module.css';
import { kindOf, reasonOf, restWords, targetsOf } from './plan-numbers.ts';

const VERB = { create: 'Create on', update: 'Update on', link: 'Link', archive: 'Put away on' } as const;

function Where({ item }: { readonly item: PlanItem }) {
  const targets = targetsOf(item);
  const [only] = targets;
  if (item.action === 'ambiguous') {
    return (
      <Tag tone="warn">
        <TriangleAlert aria-hidden="true" /> Needs you
      </Tag>
    );
  }
  if (item.action === 'skip') return <span className={css.verb}>Left alone</span>;
  if (item.action === 'none') return <span className={css.verb}>Level</span>;
  if (targets.length === 2) return <Lane to={null} />;
  if (!only) return <span className={css.verb}>{restWords(item)}</span>;
  return (
    <>
      <span className={css.verb}>{item.action === 'link' ? 'Link, update on' : VERB[item.action]}</span>
      <SideTile side={only} />
    </>
  );
}

function Details({ item, rows }: { readonly item: PlanItem; readonly rows: readonly DiffRow[] }) {
  const isNamesake = item.reason === 'title';
  return (
    <>
      {item.action === 'archive' && item.side && (
        <p className={css.warning}>
          <TriangleAlert aria-hidden="true" />
          <span>
            It is gone on the other side. On {SIDE_NAME[item.side]} it is put away, not deleted, and comes back if the
            other side restores it.
          </span>
        </p>
      )}
      {item.unlike && (
        <div className={css.warning}>
          <TriangleAlert aria-hidden="true" />
          <div>
            <p>Only their web addresses and options say that these two are one product:</p>
            <ul className={css.candidates}>
              {(['woocommerce', 'shopify'] as const).map((side) => (
                <li key={side}>
                  <SideTile side={side} /> {item.unlike?.[side]}
                </li>
              ))}
            </ul>
            <p>If they are two, give one of them another web address in its store, then make a new plan.</p>
          </div>
        </div>
      )}
      {item.candidates.length > 0 && (
        <div className={css.warning}>
          <TriangleAlert aria-hidden="true" />
          <div>
            <p>
              {isNamesake
                ? 'It may be this one, which has the same title but no SKU or barcode in common, so it is neither linked nor made again:'
                : 'More than one record could be meant, so nothing is guessed:'}
            </p>
            <ul className={css.candidates}>
              {item.candidates.map(({ side, externalId, title }) => (
                <li key={`${side}/${externalId}`}>
                  <SideTile side={side} /> {title} <code>{externalId}</code>
                </li>
              ))}
            </ul>
            <p>
              {isNamesake
                ? 'If they are one, give both the same SKU or barcode; if they are two, give one another title. Then make a new plan.'
                : 'Give each its own SKU or barcode, then make a new plan.'}
            </p>
          </div>
        </div>
      )}
      {item.refused.length > 0 && (
        <div className={css.warning}>
          <TriangleAlert aria-hidden="true" />
          <div>
            <p>Part of it is left alone, and the rest is written:</p>
            <ul className={css.candidates}>
              {item.refused.map(({ side, message }) => (
                <li key={`${side}/${message}`}>
                  <SideTile side={side} /> {SIDE_NAME[side]} would refuse it: {message}
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
      {rows.length > 0 && <DiffTable caption={`What changes on ${item.title}`} rows={rows} />}
    </>
  );
}

interface PlanItemRowProps {
  readonly item: PlanItem;
  readonly currency: string | null;
  readonly startOpen: boolean;
}

/** One record of the plan: what happens to it, where, why; opened, every field. */
export function PlanItemRow({ item, currency, startOpen }: PlanItemRowProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(startOpen);
  const rows = diffRowsOf(item, currency);
  const hasDetails =
    rows.length > 0 ||
    item.unlike !== null ||
    item.candidates.length > 0 ||
    item.refused.length > 0 ||
    item.action === 'archive';
  const reason = reasonOf(item);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className={css.item} data-action={item.action}>
      <div className={css.line}>
        <DiffGlyph kind={kindOf(item)} tile />
        <ProductThumb art={artFor(item.title, item.sku)} />
        <div className={css.words}>
          <h3 className={css.title}>
            {item.recordId ? <Link href={link.record(item.recordId)}>{item.title}</Link> : item.title}
          </h3>
          <p className={css.meta}>
            {item.sku !== '' && <code>{item.sku}</code>}
            {reason !== '' && <span>{reason}</span>}
          </p>
        </div>
        <div className={css.where}>
          <Where item={item} />
        </div>
        {hasDetails ? (
          <button
            type="button"
            className={css.toggle}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            <Chevron aria-hidden="true" />
            <HiddenText>{`Fields of ${item.title}`}</HiddenText>
          </button>
        ) : (
          <span className={css.noToggle} />
        )}
      </div>
      {hasDetails && (
        <div id={id} className={css.details} hidden={!isOpen}>
          {isOpen && <Details item={item} rows={rows} />}
        </div>
      )}
    </li>
  );
}
