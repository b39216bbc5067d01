import type { ArgRules } from './arg-rules.ts';
import { toInt } from './decimal.ts';
import { asList, isObject, type Json, type JsonObject, type Params } from './json.ts';
import { PhpFatal, RestError } from './rest-error.ts';
import { ok, type RestRequest, type RestResponse } from './rest-types.ts';

const ITEMS_MAX = 100;

export interface BatchVerbs {
  readonly create: (params: Params) => RestResponse | Promise<RestResponse>;
  readonly update: (params: Params) => RestResponse | Promise<RestResponse>;
  readonly remove: (params: Params) => RestResponse | Promise<RestResponse>;
}

/**
 * Items run one after the other and fail alone; the answer is 200 whatever they did. Nothing checks or sanitizes their
 * types here, so a numeric price passes and `null` means "not set". Deletes always skip the trash.
 */
export async function runBatch(
  request: RestRequest,
  verbs: BatchVerbs,
  createRules: ArgRules,
  fixed: Params = {},
): Promise<RestResponse> {
  const create = asList(request.params['create']);
  const update = asList(request.params['update']);
  const remove = asList(request.params['delete']);
  if (create.length + update.length + remove.length > ITEMS_MAX) {
    const message = `Unable to accept more than ${ITEMS_MAX} items for this request.`;
    throw new RestError('woocommerce_rest_request_entity_too_large', message, 413);
  }
  const body: JsonObject = {};
  const defaults = defaultsOf(createRules);
  const fields = (item: Json): Params => (isObject(item) ? item : {});
  if (create.length > 0) {
    body['create'] = await each(create, 0, (item) => verbs.create({ ...defaults, ...fields(item), ...fixed }));
  }
  if (update.length > 0) {
    body['update'] = await each(update, null, (item) => verbs.update({ ...fields(item), ...fixed }));
  }
  const ids = remove.map(toInt).filter((id) => id !== 0);
  if (ids.length > 0) {
    body['delete'] = await each(ids, null, (id) => verbs.remove({ id, force: true, ...fixed }));
  }
  // An empty PHP array is a list to JSON.
  return ok(Object.keys(body).length === 0 ? [] : body);
}

async function each(
  items: readonly Json[],
  failedId: 0 | null,
  run: (item: Json) => RestResponse | Promise<RestResponse>,
): Promise<Json[]> {
  const results: Json[] = [];
  for (const item of items) {
    try {
      results.push((await run(item)).body);
    } catch (error) {
      if (!(error instanceof RestError) || error instanceof PhpFatal) throw error;
      results.push({ id: failedId === 0 ? 0 : idOf(item), error: error.body() });
    }
  }
  return results;
}

function idOf(item: Json): Json {
  return isObject(item) ? (item['id'] ?? null) : item;
}

function defaultsOf(rules: ArgRules): Params {
  const defaults: Params = {};
  for (const [name, rule] of Object.entries(rules)) {
    if (rule.default !== undefined) defaults[name] = rule.default as Json;
  }
  return defaults;
}
