import { Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type Pair, useDeletePair } from '../../api/pairs.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { showToast } from '../../components/toast.tsx';

interface RemovePairProps {
  readonly pair: Pair;
  readonly onDone: () => void;
}

/** Parts two stores, after saying what goes and what stays. */
export function RemovePair({ pair, onDone }: RemovePairProps) {
  const remove = useDeletePair();
  const [isAsking, setAsking] = useState(false);
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that was pressed is gone; a second press of the same key must not answer for the person.
    if (isAsking) question.current?.focus();
  }, [isAsking]);
  const names = `${pair.woocommerce.name} and ${pair.shopify.name}`;
  // By the promise: the pair is gone, and this with it, before a callback of the mutation would be called.
  const removeNow = (): void => {
    remove.mutateAsync(pair._id).then(
      () => {
        showToast('success', `${names} are no pair any more.`);
        onDone();
      },
      (error: Error) => showToast('error', error.message),
    );
  };
  if (!isAsking) {
    return (
      <div>
        <Button look="danger" size="sm" icon={<Trash2 aria-hidden="true" />} onClick={() => setAsking(true)}>
          Remove this pair
        </Button>
      </div>
    );
  }
  return (
    <div ref={question} tabIndex={-1}>
      <Banner
        tone="bad"
        urgent
        actions={
          <Button look="danger" size="sm" busy={remove.isPending} onClick={removeNow}>
            Remove the pair
          </Button>
        }
      >
        Both stores stay connected and keep everything that they hold. The links between their products go, and so do
        the history and the runs of this pair.
      </Banner>
    </div>
  );
}
