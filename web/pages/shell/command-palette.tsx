import { CornerDownLeft, Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { classNames } from '../../components/class-names.ts';
import { giveFocusBack } from '../../components/give-focus-back.ts';
import { Kbd } from '../../components/kbd.tsx';
import { ToastShelf } from '../../components/toast.tsx';
import { TEXT } from '../../content/messages.en.ts';
import css from './command-palette.module.css';
import { matchItems, noteBelow, type PaletteItem } from './palette-items.ts';
import { usePaletteItems } from './use-palette-items.ts';

interface CommandPaletteProps {
  readonly onClose: () => void;
  readonly onHelp: () => void;
}

/** Everything by name: where to go, what to do, which record. The arrows move, Enter opens, Escape closes. */
export function CommandPalette({ onClose, onHelp }: CommandPaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const known = usePaletteItems(query, onHelp);
  const items = matchItems(known.items, query);
  const note = noteBelow(items.length, known.asked);
  const current = items[Math.min(at, items.length - 1)];

  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => giveFocusBack(before);
  }, []);
  const currentId = current?.id;
  useEffect(() => {
    if (currentId) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);

  const run = (item: PaletteItem | undefined): void => {
    // It stays open: why it does nothing stands there.
    if (!item || item.reason != null) return;
    onClose();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // These keys choose among what an input method offers.
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && items.length > 0) {
      event.preventDefault();
      setAt((known) => (Math.min(known, items.length - 1) + step + items.length) % items.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(current);
    }
  };

  return (
    <dialog
      ref={dialog}
      className={css.dialog}
      aria-label={TEXT.palette.title}
      onClose={onClose}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className={css.frame}>
        <div className={css.search}>
          <Search aria-hidden="true" />
          <input
            type="text"
            role="combobox"
            aria-label={TEXT.palette.placeholder}
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={current ? `${id}-${current.id}` : undefined}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            placeholder={TEXT.palette.placeholder}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
          />
          <Kbd>Esc</Kbd>
        </div>
        <div ref={list} id={`${id}-list`} role="listbox" aria-label={TEXT.palette.title} className={css.list}>
          {items.map((item, index) => (
            <Row
              key={item.id}
              id={`${id}-${item.id}`}
              item={item}
              isCurrent={item === current}
              startsGroup={items[index - 1]?.group !== item.group}
              onPoint={() => setAt(index)}
              onRun={() => run(item)}
            />
          ))}
        </div>
        {note !== null && (
          <p className={css.none} role="status">
            {note}
          </p>
        )}
        <ToastShelf isInWindow />
        <p className={css.foot} aria-hidden="true">
          <span>
            <Kbd>up</Kbd> <Kbd>down</Kbd> move
          </span>
          <span>
            <CornerDownLeft /> open
          </span>
          <span>
            <Kbd>?</Kbd> all shortcuts
          </span>
        </p>
      </div>
    </dialog>
  );
}

interface RowProps {
  readonly id: string;
  readonly item: PaletteItem;
  readonly isCurrent: boolean;
  readonly startsGroup: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
}

function Row({ id, item, isCurrent, startsGroup, onPoint, onRun }: RowProps) {
  return (
    <>
      {startsGroup && (
        <p className={css.group} role="presentation">
          {item.group}
        </p>
      )}
      {/* The focus stays in the search field, whose keys move and choose; this is for pointers. */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={isCurrent}
        aria-disabled={item.reason != null}
        className={classNames(css.row, isCurrent && css.current)}
        onPointerMove={onPoint}
        onPointerUp={onRun}
      >
        <item.icon aria-hidden="true" />
        <span className={css.label}>
          {item.label}
          {item.reason != null && <span className={css.reason}>{item.reason}</span>}
        </span>
        {item.note && <code className={css.note}>{item.note}</code>}
        {item.keys?.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </div>
    </>
  );
}
