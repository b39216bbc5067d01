import { Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { wordsOf } from '../../api/error-words.ts';
import { pairName } from '../../api/pair-name.ts';
import { type Pair, useDeletePair } from '../../api/pairs.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { showToast } from '../../components/toast.tsx';
import { useIsHere } from '../../hooks/use-is-here.ts';
import { tellFailure } from '../../tell-failure.ts';
import css from './connect-sheet.module.css';

/** With more than these, the pair's name has to be typed. */
const UNTYPED_RECORDS_MAX = 10;

interface RemovePairProps {
  readonly pair: Pair;
  readonly onDone: () => void;
}

/** Parts two stores, after saying what goes and what stays. */
export function RemovePair({ pair, onDone }: RemovePairProps) {
  const why = useWhyNot('stores');
  const remove = useDeletePair();
  const isHere = useIsHere();
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that was pressed is gone; a second press of the same key must not answer for the person.
    if (isAsking) question.current?.focus();
  }, [isAsking]);
  const names = pairName(pair);
  const isTyped = pair.counts.records > UNTYPED_RECORDS_MAX;
  // By the promise: the pair is gone, and this with it, before a callback of the mutation would be called.
  const removeNow = (): void => {
    if (remove.isPending) return;
    if (isTyped && plain(typed) !== plain(names)) {
      setWrong(true);
      question.current?.querySelector('input')?.focus();
      return;
    }
    remove.mutateAsync(pair._id).then(
      () => {
        showToast('success', `${names} are no longer a pair.`);
        onDone();
      },
      (error: Error) => {
        if (!isHere()) tellFailure(`Could not remove the pair ${names}.`)(error);
      },
    );
  };
  if (!isAsking) {
    return (
      <div>
        <ReasonedButton
          look="danger"
          size="sm"
          icon={<Trash2 aria-hidden="true" />}
          reason={why}
          onClick={() => setAsking(true)}
        >
          Remove this pair
        </ReasonedButton>
      </div>
    );
  }
  return (
    <div ref={question} tabIndex={-1} className={css.form}>
      <Banner tone="bad" urgent>
        Both stores stay connected and keep everything that they hold. The links between their products go, and so do
        the history and the runs of this pair.
      </Banner>
      {remove.error && (
        <Banner tone="bad" urgent>
          {wordsOf(remove.error, 'The pair could not be removed. Please try again.')}
        </Banner>
      )}
      {isTyped && (
        <TextField
          label={`To remove it, type ${names}`}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          error={isWrong ? `Type the name of the pair: ${names}.` : undefined}
          onChange={(event) => {
            setTyped(event.target.value);
            setWrong(false);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            // The form around this saves settings.
            event.preventDefault();
            removeNow();
          }}
        />
      )}
      <div>
        <Button look="danger" size="sm" busy={remove.isPending} onClick={removeNow}>
          Remove {names}
        </Button>
      </div>
    </div>
  );
}

/** However it is spaced, and in whatever letters. */
function plain(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase();
}
