import { idText } from '../shared/exact-json.ts';
import type { WooClient } from './client.ts';
import { isMissingRoute } from './errors.ts';
import { inParallel } from './in-parallel.ts';
import { listWhole } from './listing.ts';
import { VARIATION_FIELDS } from './wire.ts';

export interface ParentRef {
  readonly id: string;
  readonly isTrashed: boolean;
  /** The variations that the product itself names; may be out of date. */
  readonly variationIds: readonly string[];
}

/** What reading a product's variations needs to know of it. */
export function parentRef(id: string, raw: unknown): ParentRef {
  const { status, variations } = raw as { status?: unknown; variations?: unknown };
  const variationIds = Array.isArray(variations) ? variations.flatMap((one: unknown) => idText(one) ?? []) : [];
  return { id, isTrashed: status === 'trash', variationIds };
}

export interface VariationReader {
  /** Every variation of each parent, as sent by the server; a parent without any maps to []. */
  read(parents: readonly ParentRef[], signal?: AbortSignal): Promise<ReadonlyMap<string, readonly unknown[]>>;
  /** Whether the server lists variations of several products at once (10.3 and newer); null before it was tried. */
  readonly hasFlatRoute: boolean | null;
  /** Somebody else was told that the route isn't there. */
  reportNoFlatRoute(): void;
}

/** Keeps the address of a request below what web servers take (8 kB), whatever the length of ids. */
const PARENT_IDS_CHARS_MAX = 3_000;
export const PARENTS_PER_CALL_MAX = 300;

/**
 * WooCommerce keeps variations apart from their products. From 10.3 on `GET /variations?parent=1,2,3` gives those of
 * many products page by page; before, each product has to be asked.
 */
export function createVariationReader(client: WooClient, pageSize: number): VariationReader {
  let hasFlatRoute: boolean | null = null;

  const isFlatRefused = () => hasFlatRoute === false;

  async function readFlat(
    parents: readonly ParentRef[],
    signal: AbortSignal | undefined,
  ): Promise<Map<string, unknown[]> | null> {
    const ids = parents.map(({ id }) => id);
    const byParent = new Map<string, unknown[]>(ids.map((id) => [id, []]));
    let raws: unknown[];
    try {
      const query = { parent: ids, status: 'any', context: 'edit', _fields: VARIATION_FIELDS };
      const expected = parents.flatMap((parent) => parent.variationIds);
      raws = await listWhole(client, { path: '/variations', query, pageSize, isHeavy: true, signal }, expected);
    } catch (error) {
      if (!isMissingRoute(error)) throw error;
      hasFlatRoute = false;
      return null;
    }
    for (const raw of raws) {
      const siblings = byParent.get(idText((raw as { parent_id?: unknown }).parent_id) ?? '');
      if (!siblings) {
        // Unknown parameters are ignored in silence: this server filters by something else.
        hasFlatRoute = false;
        return null;
      }
      siblings.push(raw);
    }
    hasFlatRoute = true;
    return byParent;
  }

  async function readNested(parent: ParentRef, signal: AbortSignal | undefined): Promise<unknown[]> {
    const list = (status: 'any' | 'trash', expectedIds: readonly string[]) => {
      const query = { status, context: 'edit', _fields: VARIATION_FIELDS };
      const path = `/products/${parent.id}/variations`;
      return listWhole(client, { path, query, pageSize, isHeavy: true, signal }, expectedIds);
    };
    if (!parent.isTrashed) return list('any', parent.variationIds);
    // Those that have been taken out again already are listed apart; the two lists show a variation on its way twice.
    const both = [...(await list('trash', [])), ...(await list('any', []))];
    return [...new Map(both.map((raw) => [idText((raw as { id?: unknown }).id), raw])).values()];
  }

  return {
    get hasFlatRoute() {
      return hasFlatRoute;
    },
    reportNoFlatRoute() {
      hasFlatRoute = false;
    },
    async read(parents, signal) {
      const found = new Map<string, readonly unknown[]>();
      const nested = parents.filter((parent) => parent.isTrashed);
      const live = parents.filter((parent) => !parent.isTrashed);
      // One product costs one call either way, and its own route exists everywhere.
      if (live.length < 2 || isFlatRefused()) nested.push(...live);
      else {
        for (const run of byLength(live)) {
          const some = isFlatRefused() ? null : await readFlat(run, signal);
          if (some) for (const [id, raws] of some) found.set(id, raws);
          else nested.push(...run);
        }
      }
      await inParallel(nested, 3, async (parent) => {
        found.set(parent.id, await readNested(parent, signal));
      });
      return found;
    },
  };
}

function byLength(parents: readonly ParentRef[]): ParentRef[][] {
  const runs: ParentRef[][] = [];
  let run: ParentRef[] = [];
  let chars = 0;
  for (const parent of parents) {
    if (run.length >= PARENTS_PER_CALL_MAX || chars + parent.id.length + 1 > PARENT_IDS_CHARS_MAX) {
      runs.push(run);
      run = [];
      chars = 0;
    }
    run.push(parent);
    chars += parent.id.length + 1;
  }
  if (run.length > 0) runs.push(run);
  return runs;
}
