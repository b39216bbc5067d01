import { useEffect, useRef } from 'react';
import { showToast } from '../../components/toast.tsx';
import { type SheetEnds, tellEnd } from './tell-end.ts';

/** For the request of a sheet: its end is told in the sheet, or in a toast once that is closed or its page left. */
export function useSheetEnd(open: boolean): <Reply>(request: Promise<Reply>, ends: SheetEnds<Reply>) => void {
  const isOpen = useRef(open);
  useEffect(() => {
    isOpen.current = open;
    return () => {
      isOpen.current = false;
    };
  }, [open]);
  return (request, ends) => void tellEnd(request, () => isOpen.current, ends, showToast);
}
