import { useId } from 'react';
import { Card, CardHead } from '../../../components/card.tsx';
import { CheckField } from '../../../components/field.tsx';
import { Segmented } from '../../../components/segmented.tsx';
import { setSingleKeys, useSingleKeysSwitch } from '../../../hooks/single-keys.ts';
import { setTheme, type Theme, useTheme } from '../../../hooks/use-theme.ts';
import css from './browser-card.module.css';

const THEMES: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** What is kept in this browser and takes effect at once. */
export function BrowserCard() {
  const id = useId();
  const theme = useTheme();
  const areKeysOn = useSingleKeysSwitch();
  return (
    <Card labelledBy={id}>
      <CardHead id={id} level={3} title="This browser" />
      <div className={css.body}>
        <div className={css.theme}>
          <span className={css.label} aria-hidden="true">
            Theme
          </span>
          <Segmented label="Theme" value={theme} options={THEMES} onChange={setTheme} />
        </div>
        <CheckField
          label="Single-key shortcuts"
          hint="Off where they get in the way of speech input. Ctrl and Command keys stay."
          checked={areKeysOn}
          onChange={(event) => setSingleKeys(event.target.checked)}
        />
      </div>
    </Card>
  );
}
