import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

type Changes = Readonly<Record<string, string | null>>;

/** Filters and open rows live in the address. Changing them replaces the entry: Back leaves the page, not the filter. */
export function useQueryState(): readonly [URLSearchParams, (changes: Changes) => void] {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (changes: Changes) => {
      setParams(
        (known) => {
          const next = new URLSearchParams(known);
          for (const [name, value] of Object.entries(changes)) {
            if (value === null || value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      );
    },
    [setParams],
  );
  return [params, change];
}

/** The value if it is one of the allowed ones; addresses are typed by hand, too. */
export function oneOf<T extends string>(value: string | null, allowed: readonly T[]): T | null {
  return allowed.find((item) => item === value) ?? null;
}
