import { type RefObject, useLayoutEffect, useState } from 'react';

/** Width of an element in whole pixels, known before the first paint. */
export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    setWidth(Math.floor(element.getBoundingClientRect().width));
    const observer = new ResizeObserver(([entry]) => {
      const [box] = entry?.borderBoxSize ?? [];
      if (box) setWidth(Math.floor(box.inlineSize));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
