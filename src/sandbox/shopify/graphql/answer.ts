/** One entry of `errors[]` as it goes over the wire. */
export interface WireError {
  message: string;
  locations?: { line: number; column: number }[];
  path?: (string | number)[];
  extensions?: Record<string, unknown>;
}
