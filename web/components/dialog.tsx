import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import css from './dialog.module.css';
import { giveFocusBack } from './give-focus-back.ts';
import { ToastShelf } from './toast.tsx';

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly children: ReactNode;
  /** Buttons, always in view. */
  readonly footer?: ReactNode;
  /** `sheet`: from the right, for forms of more than four fields. */
  readonly kind?: 'dialog' | 'sheet';
  /** Moves when the content does: its first field then gets the focus. */
  readonly focusKey?: string;
}

/** A modal window. The browser's own: it keeps the focus inside, gives it back, and closes on Escape; on a press outside as long as nothing was changed in it. */
export function Dialog({ open, onClose, title, children, footer, kind = 'dialog', focusKey = '' }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const isEdited = useRef(false);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog || !open) return;
    const before = document.activeElement;
    isEdited.current = false;
    dialog.showModal();
    return () => {
      dialog.close();
      giveFocusBack(before);
    };
  }, [open]);
  useEffect(() => {
    void focusKey;
    if (open) ref.current?.querySelector<HTMLElement>('[data-body] :is(input, select, textarea, button, a)')?.focus();
  }, [open, focusKey]);

  return (
    <dialog
      ref={ref}
      className={classNames(css.dialog, css[kind])}
      aria-labelledby={titleId}
      // React hands on to a window what happens to one that stands in it, such as the one that asks for the password.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onClose={(event) => {
        if (open && event.target === event.currentTarget) onClose();
      }}
      onInput={() => {
        isEdited.current = true;
      }}
      // What was typed is not lost to a press that missed.
      onPointerDown={(event) => {
        if (event.target === event.currentTarget && !isEdited.current) onClose();
      }}
    >
      {open && (
        <div className={css.frame}>
          <div className={css.head}>
            <h2 id={titleId} className={css.title}>
              {title}
            </h2>
            <IconButton label="Close" icon={<X aria-hidden="true" />} onClick={onClose} />
          </div>
          <div className={css.body} data-body>
            {children}
          </div>
          <ToastShelf isInWindow />
          {footer && <div className={css.foot}>{footer}</div>}
        </div>
      )}
    </dialog>
  );
}
