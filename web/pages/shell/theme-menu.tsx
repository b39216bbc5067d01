import { Moon, Sun } from 'lucide-react';
import { useId } from 'react';
import { IconButton } from '../../components/button.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { setTheme, type Theme, useIsDark, useTheme } from '../../hooks/use-theme.ts';
import css from './theme-menu.module.css';

const OPTIONS: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** Follows the system until someone says otherwise. The window is the browser's own: it closes on Escape and outside clicks. */
export function ThemeMenu() {
  const id = useId();
  const theme = useTheme();
  const isDark = useIsDark();
  return (
    <>
      <IconButton
        label="Theme"
        icon={isDark ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}
        popoverTarget={id}
      />
      <div id={id} popover="auto" className={css.menu}>
        <Segmented label="Theme" value={theme} options={OPTIONS} onChange={setTheme} />
      </div>
    </>
  );
}
