import { useState } from 'react';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { type Halt, haltWords } from './halt-words.ts';
import css from './halted-banner.module.css';
import { ReasonedButton } from './reasoned-button.tsx';

interface HaltedBannerProps {
  /** The two stores, as people call them. */
  readonly name: string;
  readonly halt: Halt;
  /** Why the person may not resume it; null: they may. */
  readonly reason: string | null;
  readonly busy: boolean;
  readonly onResume: () => void;
}

/** Why a pair is halted. To let it go on lets the harm pass that it was halted for: it is said before it is done. */
export function HaltedBanner({ name, halt, reason, busy, onResume }: HaltedBannerProps) {
  const [isAsking, setAsking] = useState(false);
  const { consequence, action } = haltWords(halt);
  return (
    <>
      <Banner
        tone="bad"
        actions={
          <ReasonedButton size="sm" reason={reason} busy={busy} onClick={() => setAsking(true)}>
            Resume
          </ReasonedButton>
        }
      >
        {halt.message}
      </Banner>
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Resume ${name}?`}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button
              look="danger"
              // What comes of it is told on the page, which shows whether the pair goes on.
              onClick={() => {
                setAsking(false);
                onResume();
              }}
            >
              {action}
            </Button>
          </>
        }
      >
        <div className={css.words}>
          <p>{halt.message}</p>
          <p>{consequence}</p>
        </div>
      </Dialog>
    </>
  );
}
