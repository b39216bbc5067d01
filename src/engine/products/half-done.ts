import type { Side } from '../../model/platform.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { baseOf, type HubState, isBound, knownPart } from '../hub.ts';
import type { PairView } from '../pair-view.ts';
import { landedBase } from './decide.ts';
import { hiddenIn, shownOn } from './shown.ts';

const isOpen = (value: string | undefined): boolean => value === '';

/**
 * [W4] WooCommerce takes the options of a product and the values of its variations in requests of their own: between the two each variation is for any
 * value of an option that is new there. Whether all that is open in this reading is so by a write of ours, which is to be finished.
 */
export function isHalfDone(view: PairView, hub: HubState, side: Side, snapshot: ProductSnapshot): boolean {
  if (snapshot.unsyncable?.reason !== 'any_variation' || !isBound(hub, side)) return false;
  const remote = knownPart(hub, side, snapshot);
  const shown = shownOn(view, side, hiddenIn(view, hub, side, snapshot));
  const base = landedBase(baseOf(hub, side, view), hub, side, remote, shown);
  const open = snapshot.variants.filter(({ fields }) => fields.optionValues.some(isOpen));
  const ours = Object.entries(remote.variants).filter(
    ([id, { optionValues }]) =>
      optionValues.some(isOpen) &&
      optionValues.every(
        (value, i) => !isOpen(value) || isOpen(base.variants[id as keyof typeof base.variants]?.optionValues[i]),
      ),
  );
  return open.length > 0 && ours.length === open.length;
}
