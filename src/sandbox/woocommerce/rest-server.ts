import { setImmediate } from 'node:timers/promises';
import { loadArgRules, type RouteRules, rulesFor } from './arg-rules.ts';
import { attributeRoutes } from './attribute-routes.ts';
import { assertKeyAllows, authenticate, refusal } from './authenticate.ts';
import { absInt, toInt } from './decimal.ts';
import { isObject, isSet, type JsonObject, type Params } from './json.ts';
import { orderRoutes } from './order-routes.ts';
import { productRoutes } from './product-routes.ts';
import { parseQuery } from './query-string.ts';
import { filterFields, requestedFields, wantsOf } from './response-fields.ts';
import { noRoute, RestError } from './rest-error.ts';
import { ok, type RestResponse, type Route } from './rest-types.ts';
import { settingsRoutes } from './settings-routes.ts';
import type { Site } from './site.ts';
import { termRoutes } from './term-routes.ts';
import { checkArgs } from './validate-args.ts';
import { variationRoutes } from './variation-routes.ts';
import type { WebhookEngine } from './webhook-engine.ts';
import { webhookRoutes } from './webhook-routes.ts';

const NAMESPACE = '/wc/v3';

/** One call as it came over HTTP, the path already reduced to a WordPress route. */
export interface RestCall {
  readonly method: string;
  /** Path and query, as they came. */
  readonly url: string;
  readonly route: string;
  readonly query: JsonObject;
  readonly contentType: string;
  readonly body: string;
  readonly authorization: string | undefined;
  readonly isHttps: boolean;
}

interface Compiled {
  readonly route: Route;
  readonly pattern: RegExp;
}

interface Match {
  readonly route: Route;
  readonly pathParams: Params;
}

/** The REST API of the store: what WordPress does between a URL and a controller, in its order. */
export class RestServer {
  readonly #site: Site;
  readonly #routes: Compiled[];
  #rules: RouteRules = {};

  constructor(site: Site, engine: WebhookEngine) {
    this.#site = site;
    const rules = (): RouteRules => this.#rules;
    const routes = [
      ...productRoutes(site, rules),
      ...variationRoutes(site, rules),
      ...termRoutes(site, rules),
      ...attributeRoutes(site, rules),
      ...orderRoutes(site, rules),
      ...webhookRoutes(site, engine, rules),
      ...settingsRoutes(site),
    ];
    this.#routes = routes.map((route) => ({ route, pattern: compile(route.path) }));
  }

  /** The pattern a route falls under, for statistics and faults: "/wc/v3/products/<id>". */
  describe(method: string, route: string): string {
    const match = this.#match(method === 'HEAD' ? 'GET' : method, route);
    return match ? `${NAMESPACE}${match.route.path}` : route === '/' || route === NAMESPACE ? route : '(no route)';
  }

  async load(): Promise<void> {
    this.#rules = await loadArgRules();
  }

  async dispatch(call: RestCall): Promise<RestResponse> {
    const method = call.method === 'HEAD' ? 'GET' : call.method;
    this.#site.publishDue();
    if (call.route === '/') return ok(this.#index());
    const isOurs = call.route.startsWith('/wc/');
    const key = isOurs ? authenticate(this.#site, call) : null;
    if (key) assertKeyAllows(key, method);
    if (call.route === NAMESPACE && method === 'GET') return ok(this.#namespaceIndex());
    if (method === 'OPTIONS') return this.#options(call.route);
    const match = this.#match(method, call.route);
    if (!match) throw noRoute();
    const fields = requestedFields(call.query['_fields']);
    // Body over query over path: an id in a body beats the one in the address.
    const sent: Params = { ...match.pathParams, ...call.query, ...parseBody(call) };
    const params = checkArgs(rulesFor(this.#rules, match.route.path, method), sent);
    if (!key) throw refusal(match.route.access);
    if (this.#site.settings.racyDelta && isSet(params['inventory_delta'])) await this.#splitDelta(params);
    const request = { method, route: call.route, params, query: call.query, wants: wantsOf(fields) };
    const response = await match.route.handle(request);
    return fields ? { ...response, body: filterFields(response.body, fields) } : response;
  }

  #match(method: string, route: string): Match | undefined {
    if (!route.startsWith(`${NAMESPACE}/`)) return undefined;
    const path = route.slice(NAMESPACE.length);
    for (const { route: candidate, pattern } of this.#routes) {
      if (!candidate.methods.includes(method)) continue;
      const found = pattern.exec(path);
      if (found) return { route: candidate, pathParams: { ...found.groups } };
    }
    return undefined;
  }

  /** Reads the number now and writes it a turn of the event loop later, as two PHP workers would. */
  async #splitDelta(params: Params): Promise<void> {
    const before = this.#site.products.find(absInt(params['id']))?.stock ?? 0;
    await setImmediate();
    params['stock_quantity'] = before + toInt(params['inventory_delta']);
  }

  #options(route: string): RestResponse {
    const path = route.slice(NAMESPACE.length);
    const matching = this.#routes.filter(({ pattern }) => pattern.test(path)).map(({ route: found }) => found);
    if (matching.length === 0) throw noRoute();
    return ok({
      namespace: NAMESPACE.slice(1),
      methods: [...new Set(matching.flatMap((found) => found.methods))],
      endpoints: matching.map((found) => ({
        methods: [...found.methods],
        args: rulesFor(this.#rules, found.path, found.methods[0] ?? '') as unknown as JsonObject,
      })),
    });
  }

  #namespaceIndex(): JsonObject {
    const routes: JsonObject = {};
    for (const { route } of this.#routes) {
      const name = `${NAMESPACE}${route.path.replace(/<(\w+)>/g, '(?P<$1>[\\d]+)')}`;
      const known = routes[name];
      const methods = isObject(known) && Array.isArray(known['methods']) ? known['methods'] : [];
      routes[name] = { namespace: NAMESPACE.slice(1), methods: [...methods, ...route.methods] };
    }
    return { namespace: NAMESPACE.slice(1), routes };
  }

  #index(): JsonObject {
    const { settings, time } = this.#site;
    return {
      name: settings.siteName,
      description: '',
      url: this.#site.url(''),
      home: this.#site.url(''),
      gmt_offset: time.offsetAt(this.#site.nowS()) / 3600,
      timezone_string: settings.timezone,
      namespaces: [
        'oembed/1.0',
        'wc/store',
        'wc/store/v1',
        'wc/v1',
        'wc/v2',
        'wc/v3',
        'wc-analytics',
        'wc-admin',
        'wp/v2',
      ],
      authentication: {},
      routes: {},
      site_logo: 0,
      site_icon: 0,
      site_icon_url: '',
      _links: { help: [{ href: 'https://developer.wordpress.org/rest-api/' }] },
    };
  }
}

function compile(path: string): RegExp {
  const source = path.replace(/<(\w+)>/g, (_, name: string) =>
    name === 'group_id' || name === 'currency' || path.startsWith('/settings')
      ? `(?<${name}>[\\w-]+)`
      : `(?<${name}>\\d+)`,
  );
  return new RegExp(`^${source}$`, 'i');
}

/** Only a body that says it is JSON is read as JSON; a form is read as one; anything else is no parameter at all. */
function parseBody(call: RestCall): Params {
  if (call.body === '') return {};
  if (/^application\/([\w.-]+\+)?json\b/i.test(call.contentType)) {
    try {
      const parsed: unknown = JSON.parse(call.body);
      return isObject(parsed as JsonObject) ? (parsed as Params) : {};
    } catch {
      throw new RestError('rest_invalid_json', 'Invalid JSON body passed.', 400, {
        json_error_code: 4,
        json_error_message: 'Syntax error',
      });
    }
  }
  return call.contentType.startsWith('application/x-www-form-urlencoded') ? parseQuery(call.body) : {};
}
