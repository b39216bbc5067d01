/** A place in a list, opaque to clients: the values that the list is ordered by, of the last row that was given. */
export function encodeCursor(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** Null when it is not one of ours with `length` parts: never trusted further than as values to compare with. */
export function decodeCursor(cursor: string, length: number): readonly (string | number)[] | null {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (!Array.isArray(values) || values.length !== length) return null;
    const isPlain = values.every((value) => typeof value === 'string' || Number.isSafeInteger(value));
    return isPlain ? values : null;
  } catch {
    return null;
  }
}
