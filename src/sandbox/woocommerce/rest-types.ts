import type { Json, JsonObject, Params } from './json.ts';

export interface RestRequest {
  readonly method: string;
  /** "/wc/v3/products/7" */
  readonly route: string;
  /** Body over query over path, checked and sanitized, defaults filled in. */
  readonly params: Params;
  /** What the client's query held, unchecked: pagination links repeat it. */
  readonly query: JsonObject;
  /** Top-level fields the client asked for with `_fields`. */
  readonly wants: (field: string) => boolean;
}

export interface RestResponse {
  readonly status: number;
  readonly body: Json;
  readonly headers?: Readonly<Record<string, string>>;
  readonly links?: readonly string[];
}

/** What a route does to its resource; decides the words of a refusal. */
export type Access = 'list' | 'read' | 'create' | 'edit' | 'delete' | 'batch';
export type Handler = (request: RestRequest) => RestResponse | Promise<RestResponse>;

export interface Route {
  /** Path below /wc/v3, parameters as `<id>`: the key of its argument rules as well. */
  readonly path: string;
  readonly methods: readonly string[];
  readonly access: Access;
  readonly handle: Handler;
}

export const EDITABLE: readonly string[] = ['POST', 'PUT', 'PATCH'];

export function ok(body: Json): RestResponse {
  return { status: 200, body };
}

export function created(body: Json, location: string): RestResponse {
  return { status: 201, body, headers: { location } };
}
