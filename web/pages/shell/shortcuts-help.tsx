import { Dialog } from '../../components/dialog.tsx';
import { CheckField } from '../../components/field.tsx';
import { Kbd } from '../../components/kbd.tsx';
import { setSingleKeys, useSingleKeysSwitch } from '../../hooks/single-keys.ts';
import { COMMAND_KEY } from '../../hooks/use-hotkey.ts';
import { DESTINATION } from './navigation.ts';
import css from './shortcuts-help.module.css';

interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
}

const ALWAYS: readonly Shortcut[] = [
  { keys: [COMMAND_KEY, 'K'], does: 'Search or jump to' },
  { keys: [COMMAND_KEY, 'Enter'], does: 'Apply the plan that is open' },
  { keys: ['Esc'], does: 'Close what is open' },
];
const SINGLE: readonly Shortcut[] = [
  { keys: ['/'], does: 'Filter the list' },
  { keys: ['?'], does: 'This help' },
  ...Object.values(DESTINATION).flatMap((place) =>
    'key' in place ? [{ keys: ['G', place.key.toUpperCase()], does: `Go to ${place.label}` }] : [],
  ),
];

export function ShortcutsHelp({ onClose }: { readonly onClose: () => void }) {
  const areOn = useSingleKeysSwitch();
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      <CheckField
        label="Single-key shortcuts"
        hint="Off where they get in the way of speech input. Kept in this browser."
        checked={areOn}
        onChange={(event) => setSingleKeys(event.target.checked)}
      />
      <Keys shortcuts={ALWAYS} isOff={false} />
      <Keys shortcuts={SINGLE} isOff={!areOn} />
    </Dialog>
  );
}

function Keys({ shortcuts, isOff }: { readonly shortcuts: readonly Shortcut[]; readonly isOff: boolean }) {
  return (
    <dl className={css.keys} data-off={isOff || undefined}>
      {shortcuts.map(({ keys, does }) => (
        <div key={does}>
          <dt>{does}</dt>
          <dd>
            <span className={css.spoken}>{keys.join(' then ')}</span>
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
