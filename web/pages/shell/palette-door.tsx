import { Search } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Kbd } from '../../components/kbd.tsx';
import { showToast } from '../../components/toast.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { COMMAND_KEY, useCommandKey, useSingleKey, useTwoKeys } from '../../hooks/use-hotkey.ts';
import { DESTINATION } from './navigation.ts';
import css from './palette-door.module.css';

const loadPalette = () => import('./command-palette.tsx').then((m) => ({ default: m.CommandPalette }));
const CommandPalette = lazy(loadPalette);
const loadHelp = () => import('./shortcuts-help.tsx').then((m) => ({ default: m.ShortcutsHelp }));
const ShortcutsHelp = lazy(loadHelp);

const LOAD = { palette: loadPalette, help: loadHelp } as const;
type Door = keyof typeof LOAD;

const PRELOAD_AFTER_MS = 1_500;

/** The button and the keys that open the palette and the help, and the keys that lead through the app. */
export function PaletteDoor() {
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<Door | null>(null);
  // Drawn only once its file is there: without a network it is missed, and the page behind it goes on.
  const show = useCallback((door: Door): void => {
    LOAD[door]().then(
      () => setOpen(door),
      () => showToast('error', TEXT.network.notLoaded),
    );
  }, []);
  useCommandKey(
    'k',
    useCallback(() => show('palette'), [show]),
  );
  useSingleKey(
    '?',
    useCallback(() => show('help'), [show]),
  );
  useTwoKeys(
    'g',
    useCallback(
      (second: string) => {
        const place = Object.values(DESTINATION).find((one) => 'key' in one && one.key === second);
        if (place) navigate(place.href);
      },
      [navigate],
    ),
  );
  // There before it is wanted: what is typed right after the key must not be lost.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const close = (): void => setOpen(null);
  return (
    <>
      <button type="button" className={css.door} aria-haspopup="dialog" onClick={() => show('palette')}>
        <Search aria-hidden="true" />
        <span className={css.text}>{TEXT.palette.title}</span>
        <span className={css.keys}>
          <Kbd>{`${COMMAND_KEY} K`}</Kbd>
        </span>
      </button>
      <Suspense fallback={null}>
        {open === 'palette' && <CommandPalette onClose={close} onHelp={() => show('help')} />}
        {open === 'help' && <ShortcutsHelp onClose={close} />}
      </Suspense>
    </>
  );
}
