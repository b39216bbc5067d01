import { useState } from 'react';

interface Shown {
  /** Whose secret it is. */
  readonly name: string;
  readonly secret: string;
}

/** A secret that the server tells once. It lives here and nowhere else, and is gone with the window that shows it. */
export function useShownOnce() {
  const [shown, setShown] = useState<Shown | null>(null);
  const [isCopied, setCopied] = useState(false);
  const [isWarned, setWarned] = useState(false);
  const forget = (): void => {
    setShown(null);
    setCopied(false);
    setWarned(false);
  };
  return {
    shown,
    /** Somebody wanted to leave without having copied it. */
    isWarned,
    show: (name: string, secret: string): void => setShown({ name, secret }),
    copied: (): void => setCopied(true),
    forget,
    /** For whatever closes the window by accident, too: the first try only warns. */
    mayLeave: (): boolean => {
      if (shown === null || isCopied || isWarned) return true;
      setWarned(true);
      return false;
    },
  };
}

export type ShownOnce = ReturnType<typeof useShownOnce>;
