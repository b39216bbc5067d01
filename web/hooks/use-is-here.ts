import { useEffect, useRef } from 'react';

/** Whether what called this is still shown, asked at the time: an answer may come when its page or window is long gone. */
export function useIsHere(): () => boolean {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return () => isHere.current;
}
