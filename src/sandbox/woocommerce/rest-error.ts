import type { Json, JsonObject } from './json.ts';

/** A WP_Error on its way to the client. `data` is what stands under "data", the status included. */
export class RestError extends Error {
  readonly code: string;
  readonly status: number;
  readonly data: Json;
  readonly headers: Record<string, string>;

  constructor(
    code: string,
    message: string,
    status: number,
    more: JsonObject = {},
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = { status, ...more };
    this.headers = headers;
  }

  body(): JsonObject {
    return { code: this.code, message: this.message, data: this.data };
  }
}

/** A PHP fatal error: the whole request dies, a batch included, though items before it were applied. */
export class PhpFatal extends RestError {
  constructor() {
    super(
      'internal_server_error',
      '<p>There has been a critical error on this website.</p><p><a href="https://wordpress.org/documentation/article/faq-troubleshooting/">Learn more about troubleshooting WordPress.</a></p>',
      500,
    );
  }

  override body(): JsonObject {
    return { ...super.body(), additional_errors: [] };
  }
}

export function noRoute(): RestError {
  return new RestError('rest_no_route', 'No route was found matching the URL and request method.', 404);
}

export function invalidId(postType: string, status: number, message = 'Invalid ID.'): RestError {
  return new RestError(`woocommerce_rest_${postType}_invalid_id`, message, status);
}

export function cannotCreateExisting(postType: string): RestError {
  return new RestError(`woocommerce_rest_${postType}_exists`, `Cannot create existing ${postType}.`, 400);
}
