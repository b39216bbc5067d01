import { plural } from '../hooks/format.ts';
import { otherSide, SIDE_NAME, type Side } from './side.ts';

/** What halted a pair, as the API tells it. */
export interface Halt {
  readonly reason: keyof typeof HARM | 'empty_listing' | 'shrunken_listing';
  readonly side: Side;
  readonly count: number;
  /** In plain words. */
  readonly message: string;
}

interface HaltWords {
  /** What a person lets happen by resuming; the message of the halt says what has happened. */
  readonly consequence: string;
  /** The button that lets it happen. */
  readonly action: string;
}

const HARM = {
  mass_delete: ['deletes', 'Every further delete is carried to the other store'],
  mass_draft: ['unpublishing', 'Every further product that is unpublished is unpublished in the other store, too,'],
  mass_zero: ['zero stock', 'Every further stock that falls to zero falls to zero in the other store, too,'],
  mass_price_cut: ['price cuts', 'Every further heavy price cut is carried to the other store'],
} as const;

/** What resuming a halted pair means, by what halted it [G10]. */
export function haltWords({ reason, side, count }: Omit<Halt, 'message'>): HaltWords {
  if (reason === 'empty_listing' || reason === 'shrunken_listing') {
    const products = plural(count, 'product');
    return {
      consequence: `For 36 hours this listing is believed: the ${products} that it lacks are asked for one by one, and what ${SIDE_NAME[side]} says is gone is put away in ${SIDE_NAME[otherSide(side)]}, as far as the pair is set to do so.`,
      action: `Resume and let ${products} through`,
    };
  }
  const [what, sentence] = HARM[reason];
  return {
    consequence: `${sentence} for an hour, however many there are, without asking again. Make a plan first to read what waits.`,
    action: `Resume and let ${what} through`,
  };
}
