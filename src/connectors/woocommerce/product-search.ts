import { ConnectorError } from '../../model/connector-error.ts';
import { searchKeys } from '../../model/search-key.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Query, WooAnswer, WooClient } from './client.ts';
import { isTurnedAway, LET_THROUGH } from './firewall.ts';
import { chunked } from './in-parallel.ts';

/** A question that nothing can take offence at, by each parameter that products are searched for by. */
const HARMLESS = { sku: 'twinshelf', global_unique_id: '4006381333931' } as const;
type Param = keyof typeof HARMLESS;

/** Products that bear one of these SKUs or GTINs, in one request. */
export interface Search {
  readonly param: Param;
  readonly values: readonly string[];
  /** What else is asked with it. */
  readonly query: Query;
}

export interface ProductSearch {
  /** The answers to some searches. One of a value that is known to be turned away is refused before any is asked. */
  (searches: readonly Search[], signal?: AbortSignal): Promise<readonly WooAnswer[]>;
  /** What is held back is asked for again, one by one; how often it may be turned away within a pause stays as it is. */
  askAgain(): void;
}

/** What a firewall has turned away is not asked again for so long, ms: some hosts shut an address out after a few refusals. */
const PAUSE_MS = 15 * 60_000;
/** A value that is turned away time after time is asked ever more seldom, but after so long at the latest, ms. */
const PAUSE_MAX_MS = 60 * 60_000;
/** Values that it takes offence at. */
const HELD_MAX = 1_000;
/** Into so many a search is split to find the values that it is turned away for: what is wrong with one of ninety shows after four refusals. */
const PARTS = 10;
/** Refusals for values within a pause, after which nothing is searched for until its end. What is known to be turned away leaves half of them to find the others by. */
const REFUSALS_MAX = 20;
/** So many pass together where no single one is to blame: what is turned away is then their number, or the length of the address. */
const TOGETHER_MAX = 9;

/** An error: why that part of a search has no answer. */
type Asked = WooAnswer | ConnectorError;

interface Shut {
  readonly until: number;
  readonly error: ConnectorError;
}

/**
 * Searches that a firewall in front of WooCommerce turns away, for the parameter or for a value ("1 OR 1=1" is an attack to it), while it lets others
 * through, are refusals of which a person is told: nothing else would show that what is new is never made. Which value it is is found out, so that
 * those beside it can be searched for without it.
 */
export function createProductSearch(get: WooClient['get'], clock: Clock): ProductSearch {
  /** Whatever the values are. */
  const shut = new Map<Param, Shut>();
  /** By parameter and value. Once that is over they are asked for one by one. */
  const held = new Map<string, Shut & { readonly pauseMs: number }>();
  let budget = { until: 0, left: REFUSALS_MAX };
  let smallUntil = 0;

  /** An error: it was turned away. */
  async function ask({ param, query }: Search, values: readonly string[], signal: AbortSignal | undefined) {
    try {
      const answer = await get('/products', { query: { [param]: values.join(','), ...query }, signal });
      shut.delete(param);
      return answer;
    } catch (error) {
      if (error instanceof ConnectorError && isTurnedAway(error)) return error;
      throw error;
    }
  }

  /** null: it failed otherwise, which tells of no firewall. */
  async function isLetThrough(query: Query, signal: AbortSignal | undefined): Promise<boolean | null> {
    try {
      await get('/products', { query: { ...query, status: 'any', per_page: 1, _fields: 'id' }, signal });
      return true;
    } catch (error) {
      if (error instanceof ConnectorError) return isTurnedAway(error) ? false : null;
      throw error;
    }
  }

  function throwIfShut({ param, values }: Search): void {
    const known = [shut.get(param), ...values.map((value) => held.get(`${param} ${value}`))];
    const first = known.find((one) => one !== undefined && clock.now() < one.until);
    if (first) throw first.error;
  }

  function hold(param: Param, value: string, error: ConnectorError): ConnectorError {
    const key = `${param} ${value}`;
    const pauseMs = Math.min(PAUSE_MAX_MS, 2 * (held.get(key)?.pauseMs ?? PAUSE_MS / 2));
    const refusal = refusedValue(param, value, error);
    held.delete(key);
    held.set(key, { until: clock.now() + pauseMs, pauseMs, error: refusal });
    const [oldest] = held.keys();
    if (held.size > HELD_MAX && oldest !== undefined) held.delete(oldest);
    return refusal;
  }

  /** Throws when it has been turned away often enough. */
  function count(refusals: number, param: Param, error: ConnectorError): void {
    const now = clock.now();
    if (now >= budget.until) budget = { until: now + PAUSE_MS, left: REFUSALS_MAX };
    budget.left -= refusals;
    if (budget.left > 0) return;
    shut.set(param, { until: budget.until, error: refusedParam(param, `many ${NAMES[param]}s`, error) });
    throw shut.get(param)?.error;
  }

  /** A shop may have dozens of them. null: its turn has come. */
  function putOff(param: Param, value: string): ConnectorError | null {
    const known = held.get(`${param} ${value}`);
    if (known === undefined || clock.now() >= budget.until || budget.left > REFUSALS_MAX / 2) return null;
    held.set(`${param} ${value}`, { ...known, until: budget.until });
    return known.error;
  }

  async function askAlone(search: Search, value: string, signal: AbortSignal | undefined): Promise<Asked> {
    const { param } = search;
    const answer = await ask(search, [value], signal);
    if (!(answer instanceof ConnectorError)) {
      held.delete(`${param} ${value}`);
      return answer;
    }
    // Some firewalls let nobody through for a while who asks much: that is not about this value.
    if ((await isLetThrough({ [param]: HARMLESS[param] }, signal)) !== true) throw answer;
    const refusal = hold(param, value, answer);
    count(1, param, answer);
    return refusal;
  }

  async function askTogether(
    search: Search,
    values: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Asked[]> {
    const { param } = search;
    const first = await ask(search, values, signal);
    if (!(first instanceof ConnectorError)) return [first];
    if ((await isLetThrough({}, signal)) !== true) throw first;
    // Firewalls have their moments, too: what is let through now is no refusal.
    const answer = await ask(search, values, signal);
    if (!(answer instanceof ConnectorError)) return [answer];
    const isForValues = await isLetThrough({ [param]: HARMLESS[param] }, signal);
    if (isForValues === null) throw answer;
    if (!isForValues) {
      const refusal = refusedParam(param, `their ${NAMES[param]}`, answer);
      shut.set(param, { until: clock.now() + PAUSE_MS, error: refusal });
      throw refusal;
    }
    const [only, ...others] = values;
    const refusal = only !== undefined && others.length === 0 ? hold(param, only, answer) : null;
    count(2, param, answer);
    if (refusal !== null) return [refusal];
    const answers = await askInParts(search, values, signal);
    if (!answers.some((each) => each instanceof ConnectorError)) smallUntil = clock.now() + PAUSE_MS;
    return answers;
  }

  async function askInParts(
    search: Search,
    values: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Asked[]> {
    const answers: Asked[] = [];
    for (const part of chunked(values, Math.ceil(values.length / PARTS))) {
      const [only, ...others] = part;
      if (only !== undefined && others.length === 0) {
        answers.push(await askAlone(search, only, signal));
        continue;
      }
      const answer = await ask(search, part, signal);
      if (answer instanceof ConnectorError) {
        count(1, search.param, answer);
        answers.push(...(await askInParts(search, part, signal)));
      } else answers.push(answer);
    }
    return answers;
  }

  async function find(searches: readonly Search[], signal?: AbortSignal): Promise<readonly WooAnswer[]> {
    for (const search of searches) throwIfShut(search);
    const answers: WooAnswer[] = [];
    for (const search of searches) {
      const isSuspect = (value: string) => held.has(`${search.param} ${value}`);
      const others = search.values.filter((value) => !isSuspect(value));
      const asked: Asked[] = [];
      for (const value of search.values.filter(isSuspect))
        asked.push(putOff(search.param, value) ?? (await askAlone(search, value, signal)));
      const size = clock.now() < smallUntil ? TOGETHER_MAX : Math.max(1, others.length);
      for (const run of chunked(others, size)) asked.push(...(await askTogether(search, run, signal)));
      // Not by what is held now: its time may have run out since, or another search may have found it let through.
      for (const each of asked) {
        if (each instanceof ConnectorError) throw each;
        answers.push(each);
      }
    }
    return answers;
  }

  return Object.assign(find, {
    askAgain() {
      shut.clear();
      for (const [key, known] of held) held.set(key, { ...known, until: clock.now() });
    },
  });
}

const NAMES = { sku: 'SKU', global_unique_id: 'barcode' } as const;

/** `whatFor`: "their SKU". */
function refusedParam(param: Param, whatFor: string, { details }: ConnectorError): ConnectorError {
  const words = `a firewall or security plugin in front of it turns away the search for products by ${whatFor} (GET /wp-json/wc/v3/products?${param}=…, status ${details.httpStatus}), though it lets others through. What is new in the other shop waits for that: ${LET_THROUGH}`;
  return new ConnectorError('rejected', words, { ...details, platformMessage: words });
}

function refusedValue(param: Param, value: string, { details }: ConnectorError): ConnectorError {
  const name = NAMES[param];
  const short = value.length > 120 ? `${value.slice(0, 120)}…` : value;
  const words = `a firewall or security plugin in front of it turns away the search for the ${name} “${short}” (GET /wp-json/wc/v3/products?${param}=…, status ${details.httpStatus}), though it lets others through`;
  const [key] = searchKeys({ sku: param === 'sku' ? value : '', barcode: param === 'sku' ? '' : value });
  return new ConnectorError('rejected', words, {
    ...{ ...details, platformMessage: words, ...(key === undefined ? {} : { unsearched: key }) },
    remedy: `Have requests of this server to /wp-json/wc/v3/ left alone there, or ask the host to (ModSecurity); or give the product another ${name}. It is tried again by itself.`,
  });
}
