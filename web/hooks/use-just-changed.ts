import { useEffect, useRef, useState } from 'react';

/** True for a while after `value` changed; never for its first appearance. */
export function useJustChanged(value: string, forMs: number): boolean {
  const seen = useRef(value);
  const [isChanged, setChanged] = useState(false);
  useEffect(() => {
    if (seen.current === value) return;
    seen.current = value;
    setChanged(true);
  }, [value]);
  useEffect(() => {
    if (!isChanged) return;
    // `value` restarts the clock: a second change shows as long as the first.
    void value;
    const timer = setTimeout(() => setChanged(false), forMs);
    return () => clearTimeout(timer);
  }, [isChanged, value, forMs]);
  return isChanged;
}
