import { otherSide, type PerSide, SIDES } from '../../../model/platform.ts';
import { SeededRandom } from '../../simulator/random.ts';
import { type Act, FAULTS, KEYS, type Step, type Story, SUBJECTS } from './story.ts';

/** Most steps add what is not there and delete what is; in one story of five none does. */
const ADDED_OR_DELETED = 0.55;
const STAYS = 0.2;
const UPSET = 0.25;
/** What else there is to do, by weight. */
const OTHERS = { sell: 3, edit: 2, restore: 2, kill: 2, look: 2, scan: 2 } as const;
/** One shop is the busier one: what follows upon each other there is what goes wrong. */
const BUSIER = 0.65;

/** A story of four to nine steps; the same for the same seed. */
export function drawStory(seed: string | number): Story {
  const random = new SeededRandom(seed);
  const subject = random.pick(SUBJECTS);
  const busier = random.pick(SIDES);
  const moves = random.chance(STAYS) ? 0 : ADDED_OR_DELETED;
  const isThere: PerSide<boolean> = { woocommerce: true, shopify: true };
  const drawStep = (): Step => {
    const side = random.chance(BUSIER) ? busier : random.pick(SIDES);
    const dice = random.unit();
    const pause = random.weighted({ now: 1, soon: 2, later: 1 });
    const isDelete = subject === 'product' && random.chance(0.5) ? 'trash' : 'delete';
    const other: Act = dice < moves + UPSET ? 'upset' : random.weighted(moves > 0 ? OTHERS : { ...OTHERS, restore: 0 });
    const act: Act = dice >= moves ? other : isThere[side] ? isDelete : 'add';
    if (dice < moves) {
      isThere[side] = act === 'add';
      // By then it is carried across.
      if (pause === 'later') isThere[otherSide(side)] = isThere[side];
    }
    const fault = random.pick(Object.keys(FAULTS) as (keyof typeof FAULTS)[]);
    return { act, side, fault, isTold: random.chance(0.7), pause: act === 'upset' ? 'now' : pause };
  };
  return {
    subject,
    set: random.weighted({ real: 2, keyed: 1, plain: 1 }),
    keys: subject === 'product' ? 'sku' : random.pick(Object.keys(KEYS) as (keyof typeof KEYS)[]),
    stock: random.pick(['smaller', 'sum', 'woocommerce', 'shopify']),
    deletes: random.chance(0.2) ? 'keep' : 'archive',
    buffer: random.chance(0.15) ? 2 : 0,
    steps: Array.from({ length: random.between(4, 9) }, drawStep),
  };
}
