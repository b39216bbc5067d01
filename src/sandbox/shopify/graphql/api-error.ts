/** A top-level GraphQL error in Shopify's shape: `errors[].extensions.code` and friends. */
export class ApiError extends Error {
  readonly extensions: Readonly<Record<string, unknown>>;
  /** Further places in the document, after the field's own. */
  readonly moreNodes: readonly unknown[];

  constructor(message: string, extensions: Record<string, unknown>) {
    super(message);
    this.extensions = extensions;
    this.moreNodes = [];
  }
}

export function badRequest(message: string): ApiError {
  return new ApiError(message, { code: 'BAD_REQUEST' });
}

export function invalidId(gid: string): ApiError {
  return new ApiError(`Invalid id: ${gid}`, { code: 'RESOURCE_NOT_FOUND' });
}

export function invalidFieldArguments(message: string): ApiError {
  return new ApiError(message, { code: 'INVALID_FIELD_ARGUMENTS' });
}

/** An honest refusal: this root field exists at Shopify, but nothing here stands behind it. */
export function notSupported(fieldName: string): ApiError {
  return new ApiError(`${fieldName} is not supported by this sandbox.`, {
    code: 'INTERNAL_SERVER_ERROR',
    sandbox: 'not_supported',
  });
}

export interface UserError {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code?: string | null;
}

/** Indexes in `field` are strings, as at Shopify. */
export function userError(
  field: readonly (string | number)[] | null,
  message: string,
  code: string | null = null,
): UserError {
  return { field: field?.map(String) ?? null, message, code };
}
