import type { RequestFault } from '../../../connectors/memory/fault-plan.ts';
import { present } from '../../../lib/assert.ts';
import type { StockLinkRule } from '../../../model/pair.ts';
import { SIDES, type Side } from '../../../model/platform.ts';
import type { CapabilitySet } from '../../simulator/world.ts';

/** What is added and deleted: one of a product's two variants, or a product as a whole. */
export const SUBJECTS = ['variant', 'product'] as const;
/** What the subject can be told by. */
export const KEYS = {
  sku: { sku: 'MUG-M', barcode: '' },
  none: { sku: '', barcode: '' },
  barcode: { sku: '', barcode: '4006381333931' },
  both: { sku: 'MUG-M', barcode: '4006381333931' },
} as const;

/** What becomes of the next write to a shop. */
export const FAULTS = {
  landed: { type: 'timeout', when: 'after' },
  lost: { type: 'timeout', when: 'before' },
  broke: { type: 'connection_lost', when: 'after' },
  error: { type: 'server_error', when: 'after' },
  late: { type: 'late_landing', lateMs: 20_000 },
  garbled: { type: 'malformed' },
} as const satisfies Record<string, RequestFault>;

/** What somebody does in a shop (`delete` is for good, `trash` into the bin where the shop has one), or what befalls the program: `upset` the next write to that shop, `kill`. */
export const ACTS = ['add', 'delete', 'trash', 'restore', 'sell', 'edit', 'upset', 'kill', 'look', 'scan'] as const;
export type Act = (typeof ACTS)[number];

/** Minutes until the next step: at once, while what was done is under way, or when all has come to rest. */
export const PAUSES = { now: 0, soon: 0.05, later: 15 } as const;

export interface Step {
  readonly act: Act;
  readonly side: Side;
  readonly fault: keyof typeof FAULTS;
  /** Whether the shop's webhooks of it arrive. */
  readonly isTold: boolean;
  readonly pause: keyof typeof PAUSES;
}

/** A few steps around one thing, in two shops that are the same before the first. */
export interface Story {
  readonly subject: (typeof SUBJECTS)[number];
  readonly set: CapabilitySet;
  readonly keys: keyof typeof KEYS;
  readonly stock: StockLinkRule;
  readonly deletes: 'archive' | 'keep';
  readonly buffer: 0 | 2;
  readonly steps: readonly Step[];
}

/** One line that can be read, and played again: `variant real sku sum archive 0 | delete shopify soon | upset woocommerce landed | add shopify untold later`. */
export function tellStory({ subject, set, keys, stock, deletes, buffer, steps }: Story): string {
  return [[subject, set, keys, stock, deletes, buffer].join(' '), ...steps.map(tellStep)].join(' | ');
}

function tellStep({ act, side, fault, isTold, pause }: Step): string {
  if (act === 'upset') return `upset ${side} ${fault}`;
  return [act, side, ...(isTold ? [] : ['untold']), pause].join(' ');
}

/** The other way round. Throws where a word is none of a story's. */
export function parseStory(line: string): Story {
  const [head = '', ...steps] = line.split('|').map((part) => part.trim());
  const [subject = '', set = '', keys = '', stock = '', deletes = '', buffer = ''] = head.split(' ');
  return {
    subject: oneOf(SUBJECTS, subject),
    set: oneOf(['keyed', 'real', 'plain'], set),
    keys: oneOf(['sku', 'none', 'barcode', 'both'], keys),
    stock: oneOf(['woocommerce', 'shopify', 'smaller', 'sum'], stock),
    deletes: oneOf(['archive', 'keep'], deletes),
    buffer: oneOf(['0', '2'], buffer) === '2' ? 2 : 0,
    steps: steps.map(parseStep),
  };
}

function parseStep(text: string): Step {
  const [act = '', side = '', ...rest] = text.split(' ');
  const last = present(rest.at(-1), `the end of "${text}"`);
  const common = { act: oneOf(ACTS, act), side: oneOf(SIDES, side) };
  if (act === 'upset')
    return {
      ...common,
      fault: oneOf(['landed', 'lost', 'broke', 'error', 'late', 'garbled'], last),
      ...{ isTold: true, pause: 'now' },
    };
  const pause = oneOf(['now', 'soon', 'later'], last);
  return { ...common, fault: 'landed', isTold: !rest.includes('untold'), pause };
}

function oneOf<const T extends string>(words: readonly T[], word: string): T {
  return present(
    words.find((known) => known === word),
    `"${word}" as one of ${words.join(', ')}`,
  );
}
