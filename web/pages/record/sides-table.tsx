import { ClipboardCheck, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import type { RecordReply, RecordSide, VariantView } from '../../api/records.ts';
import { useUser } from '../../api/session.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Card, CardHead } from '../../components/card.tsx';
import { classNames } from '../../components/class-names.ts';
import { fieldName, fieldValue } from '../../components/field-value.ts';
import { HiddenText } from '../../components/hidden-text.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { SIDE_NAME, type Side } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { formatNumber, plural } from '../../hooks/format.ts';
import { CountDialog } from './count-dialog.tsx';
import css from './sides-table.module.css';

type RecordView = RecordReply['record'];

interface Line {
  readonly key: string;
  readonly field: string;
  readonly note: string;
  readonly woocommerce: string;
  readonly shopify: string;
  /** To be the same in both stores, and differing at present. What a platform can't show otherwise is no difference. */
  readonly isApart: boolean;
}

const FIELDS = ['title', 'status', 'tags', 'descriptionHtml'] as const;
const VARIANT_FIELDS = ['price', 'sku', 'barcode', 'weightMg'] as const;
const ABSENT = 'Not there';
/** So many are drawn at once: a product can have two thousand, each with a handful of lines. */
const VARIANTS_SHOWN = 100;

function variantOf(side: RecordSide | null, id: string): VariantView | undefined {
  return side?.variants.find(({ variantId }) => variantId === id);
}

/** Its stock is kept the same: both sides count it. */
function isCounted(record: RecordView, id: string): boolean {
  return [record.woocommerce, record.shopify].every((side) => variantOf(side, id)?.isTracked === true);
}

function stockText(variant: VariantView | undefined): string {
  if (!variant) return ABSENT;
  return variant.isTracked && variant.quantity !== null ? formatNumber(variant.quantity) : 'Not counted';
}

/** What a side holds of a field that waits for a decision; what stands at the side itself is what it last agreed to. */
function heldBack({ conflicts }: RecordView, side: Side, path: string): { readonly value: unknown } | null {
  const conflict = conflicts.find((one) => one.side === side && one.field === path);
  return conflict ? { value: conflict.remote } : null;
}

/** Tags are a set: each store keeps them in an order of its own, which is no difference. */
function inOrder(value: unknown): unknown {
  return Array.isArray(value) ? value.toSorted() : value;
}

function linesOf(record: RecordView, variantsShown: number): Line[] {
  const { woocommerce, shopify, hub } = record;
  const sides = [woocommerce, shopify].filter((side) => side !== null);
  const isOnBoth = sides.length === 2;

  function line(path: string, note: string, name: string, textOn: (side: RecordSide | null) => string): Line {
    const isApart =
      sides.some(({ apart }) => apart.includes(path)) || record.conflicts.some(({ field }) => field === path);
    const [left, right] = [textOn(woocommerce), textOn(shopify)];
    const isOnOneOnly = (left === ABSENT) !== (right === ABSENT);
    return {
      ...{ key: path, field: name, note, woocommerce: left, shopify: right },
      isApart: isOnBoth && left !== right && (isApart || isOnOneOnly),
    };
  }

  const textOf = (side: RecordSide, path: string, name: string, own: unknown): string => {
    const held = heldBack(record, side.side, path);
    return fieldValue(name, inOrder(held ? held.value : own), side.currency);
  };
  const fields = FIELDS.map((name) =>
    line(name, '', fieldName(name), (side) => (side ? textOf(side, name, name, side.fields[name]) : ABSENT)),
  );
  const isSingle = hub.variants.length === 1;
  const variants = hub.variants.slice(0, variantsShown).flatMap(({ variantId, label }): Line[] => {
    const note = isSingle ? '' : label;
    const stock = line(`variant.${variantId}.stock`, note, 'Stock', (side) => stockText(variantOf(side, variantId)));
    const rest = VARIANT_FIELDS.map((name) => {
      const path = `variant.${variantId}.${name}`;
      return line(path, note, fieldName(name), (side) => {
        const variant = variantOf(side, variantId);
        return side && variant ? textOf(side, path, name, variant[name]) : ABSENT;
      });
    });
    return [stock, ...rest.filter((one) => one.woocommerce !== 'None' || one.shopify !== 'None')];
  });
  return [...fields, ...variants];
}

function SideHead({ side, view }: { readonly side: Side; readonly view: RecordSide | null }) {
  // The sandboxes of the demo have no admin pages that could be opened.
  const hasAdmin = useUser()?.isDemo !== true;
  return (
    <th scope="col">
      <span className={css.side}>
        <SideTile side={side} named /> {SIDE_NAME[side]}
        {hasAdmin && view?.adminUrl && (
          <a href={view.adminUrl} target="_blank" rel="noreferrer" className={css.admin}>
            <ExternalLink aria-hidden="true" />
            <span className={css.adminText}>Open in {SIDE_NAME[side]}</span>
          </a>
        )}
      </span>
    </th>
  );
}

/** As many variants as a screen takes, and more of them when asked for. */
function Table({ record }: { readonly record: RecordView }) {
  const [shown, setShown] = useState(VARIANTS_SHOWN);
  const rest = record.hub.variants.length - shown;
  return (
    <>
      <table className={css.table}>
        <caption>
          <HiddenText>What both stores were last known to hold</HiddenText>
        </caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <SideHead side="woocommerce" view={record.woocommerce} />
            <SideHead side="shopify" view={record.shopify} />
          </tr>
        </thead>
        <tbody>
          {linesOf(record, shown).map((line) => (
            <tr key={line.key} className={classNames(line.isApart && css.differs)}>
              <th scope="row">
                {line.field}
                {line.note !== '' && <span className={css.note}>{line.note}</span>}
              </th>
              <td className={classNames(!record.woocommerce && css.absent)}>{line.woocommerce}</td>
              <td className={classNames(!record.shopify && css.absent)}>
                {line.shopify}
                {line.isApart && <HiddenText> (differs)</HiddenText>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ShowMore
        query={{
          hasNextPage: rest > 0,
          isFetchingNextPage: false,
          fetchNextPage: () => Promise.resolve(setShown(shown + VARIANTS_SHOWN)),
        }}
      >
        {`Show ${plural(Math.min(rest, VARIANTS_SHOWN), 'more variant')}`}
      </ShowMore>
    </>
  );
}

/** What both sides hold, side by side; where they are not the same, and should be, the row is marked. */
export function SidesTable({ record }: { readonly record: RecordView }) {
  const isDeleted = record.state === 'deleted';
  const countable = isDeleted ? [] : record.hub.variants.filter((variant) => isCounted(record, variant.variantId));
  const why = useWhyNot('count');
  const [isCounting, setCounting] = useState(false);
  return (
    <Card labelledBy="sides">
      <CardHead
        id="sides"
        title={isDeleted ? 'What they held last' : 'On both sides'}
        actions={
          countable.length > 0 && (
            <ReasonedButton
              size="sm"
              icon={<ClipboardCheck aria-hidden="true" />}
              reason={why}
              onClick={() => setCounting(true)}
            >
              Enter a count
            </ReasonedButton>
          )
        }
      />
      <CountDialog open={isCounting} recordId={record._id} variants={countable} onClose={() => setCounting(false)} />
      {record.woocommerce || record.shopify ? (
        <Table record={record} />
      ) : (
        <p className={css.nowhere}>
          {isDeleted ? 'What the stores held is not kept.' : 'Neither store has this product.'}
        </p>
      )}
    </Card>
  );
}
