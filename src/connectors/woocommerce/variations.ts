import type { ConnectorError } from '../../model/connector-error.ts';
import { idText } from '../shared/exact-json.ts';
import type { WooClient } from './client.ts';
import { crashedOver, isAlive, knownCrashers } from './crashed-reads.ts';
import { isCrash, isMissingRoute } from './errors.ts';
import { chunked, inParallel } from './in-parallel.ts';
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
  /** Every variation of each parent, as sent by the server; a parent without any maps to [], one of whose PHP dies over to the reason. */
  read(
    parents: readonly ParentRef[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly unknown[] | ConnectorError>>;
  /** Whether the server lists variations of several products at once (10.3 and newer); null before it was tried. */
  readonly hasFlatRoute: boolean | null;
  /** Somebody else was told that the route isn't there. */
  reportNoFlatRoute(): void;
}

/** Keeps the address of a request below what web servers take (8 kB), whatever the length of ids. */
const PARENT_IDS_CHARS_MAX = 3_000;
export const PARENTS_PER_CALL_MAX = 300;
/** After so many one after the other that PHP has died over it is the store that fails. One of three hundred products is found by nine halvings. */
const CRASHES_MAX = 20;
/** Of a product that PHP has died over: it would give up a larger page as well. */
const CAREFUL_PAGE_SIZE = 10;

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

  async function readNested(parent: ParentRef, signal: AbortSignal | undefined, most = pageSize): Promise<unknown[]> {
    const list = (status: 'any' | 'trash', expectedIds: readonly string[]) => {
      const query = { status, context: 'edit', _fields: VARIATION_FIELDS };
      const path = `/products/${parent.id}/variations`;
      return listWhole(client, { path, query, pageSize: most, isHeavy: true, signal }, expectedIds);
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
      const found = new Map<string, readonly unknown[] | ConnectorError>();
      const known = knownCrashers(client);
      const keyOf = ({ id }: ParentRef) => `variations of ${id}`;
      const alone = parents.filter((parent) => known.has(keyOf(parent)));
      const others = parents.filter((parent) => !alone.includes(parent));
      const nested = others.filter((parent) => parent.isTrashed);
      const live = others.filter((parent) => !parent.isTrashed);
      const forgive = client.pages.remember();
      let crashes = 0;
      // One product costs one call either way, and its own route exists everywhere.
      if (live.length < 2 || isFlatRefused()) nested.push(...live);
      else {
        const runs = byLength(live);
        for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
          try {
            const some = isFlatRefused() || run.length < 2 ? null : await readFlat(run, signal);
            if (some) for (const [id, raws] of some) found.set(id, raws);
            else nested.push(...run);
            if (some) crashes = 0;
          } catch (error) {
            crashes += 1;
            if (!isCrash(error) || crashes > CRASHES_MAX) throw error;
            runs.unshift(...chunked(run, Math.ceil(run.length / 2)));
          }
        }
      }
      crashes = 0;
      let isAnyLeft = false;
      await inParallel([...nested, ...alone], 3, async (parent) => {
        const isKnown = alone.includes(parent);
        try {
          found.set(
            parent.id,
            await readNested(parent, signal, isKnown ? Math.min(pageSize, CAREFUL_PAGE_SIZE) : pageSize),
          );
          known.delete(keyOf(parent));
          crashes = 0;
        } catch (error) {
          if (!isCrash(error)) throw error;
          if (!isKnown) crashes += 1;
          if (crashes > CRASHES_MAX || !(await isAlive(client, signal))) throw error;
          known.add(keyOf(parent));
          found.set(parent.id, crashedOver(error));
          isAnyLeft = true;
        }
      });
      if (isAnyLeft) forgive();
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
