import { Pencil } from 'lucide-react';
import { useRef } from 'react';
import { useDemoAction } from '../../api/demo.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { artFor, ProductArt, tintFor } from '../../components/product-art.tsx';
import { ReasonedButton, ReasonedIconButton } from '../../components/reasoned-button.tsx';
import { ShelfLabel } from '../../components/shelf-label.tsx';
import { SIDE_NAME, type Side } from '../../components/side.ts';
import { formatMoney, formatNumber } from '../../hooks/format.ts';
import { useJustChanged } from '../../hooks/use-just-changed.ts';
import { useOnline } from '../../hooks/use-online.ts';
import { tellFailure } from '../../tell-failure.ts';
import type { ItemAddress } from './demo-shelves.tsx';
import css from './shelf-bay.module.css';
import { fingerprint, nameOf, type Twin } from './twin-items.ts';

/** A label that has just changed stays marigold for this long. */
const CHANGED_SHOWN_MS = 2_600;
/** One delivery. */
const RESTOCK_QUANTITY = 5;

interface ShelfBayProps {
  readonly twin: Twin;
  readonly side: Side;
  readonly onEdit: (address: ItemAddress) => void;
}

/** One product on one shop's board: the thing, its label, and what a customer or the merchant can do here. */
export function ShelfBay({ twin, side, onEdit }: ShelfBayProps) {
  const item = twin[side];
  const isChanged = useJustChanged(fingerprint(item), CHANGED_SHOWN_MS);
  const isOnline = useOnline();
  const why = useWhyNot('sandbox');
  const action = useDemoAction();
  const shown = item ?? twin.woocommerce ?? twin.shopify;
  // A new title is not a new thing: the drawing stays what it was.
  const art = useRef(artFor(twin.sku, shown?.title ?? ''));
  if (!shown) return null;

  const isSoldOut = (item?.stock ?? 1) <= 0;
  const name = nameOf(shown);
  const act = (kind: 'sell' | 'restock', value: number): void => {
    void action
      .mutateAsync({ side, sku: twin.sku, action: kind, value })
      .catch(tellFailure(`Could not ${kind} ${name} on ${SIDE_NAME[side]}.`));
  };
  const where = `${name} on ${SIDE_NAME[side]}`;
  return (
    <li className={css.bay} data-sku={twin.sku} data-side={side}>
      <div className={css.stand}>
        <ProductArt art={art.current} tint={tintFor(shown.variant)} step={twin.step} ghost={item === null} />
      </div>
      <div className={css.hang}>
        <ShelfLabel
          title={name}
          stock={shown.stock === null ? 'Not counted' : formatNumber(shown.stock)}
          price={shown.priceMinor === null ? 'No price' : formatMoney(shown.priceMinor, shown.currency)}
          state={item === null ? 'missing' : isChanged ? 'changed' : 'plain'}
        />
        {item && (
          <div className={css.controls}>
            {/* Whoever sells the last one by keyboard keeps the focus. */}
            <ReasonedButton
              reason={why}
              size="sm"
              aria-label={`${isSoldOut ? 'Sold out:' : 'Sell one'} ${where}`}
              aria-disabled={isSoldOut}
              disabled={!isOnline}
              onClick={() => !isSoldOut && act('sell', 1)}
            >
              {isSoldOut ? 'Sold out' : 'Sell one'}
            </ReasonedButton>
            <ReasonedButton
              reason={why}
              size="sm"
              look="ghost"
              aria-label={`Restock ${RESTOCK_QUANTITY} ${where}`}
              disabled={!isOnline || item.stock === null}
              onClick={() => act('restock', RESTOCK_QUANTITY)}
            >
              +{RESTOCK_QUANTITY}
            </ReasonedButton>
            <ReasonedIconButton
              reason={why}
              size="sm"
              label={`Edit price or title of ${where}`}
              icon={<Pencil aria-hidden="true" />}
              disabled={!isOnline}
              onClick={() => onEdit({ side, sku: twin.sku })}
            />
          </div>
        )}
      </div>
    </li>
  );
}
