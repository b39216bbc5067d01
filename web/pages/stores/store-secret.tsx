import { RotateCw } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { wordsOf } from '../../api/error-words.ts';
import { type Store, useRotateStoreSecret } from '../../api/stores.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { STORE_SETTINGS } from '../../content/store-settings.ts';
import css from './connect-sheet.module.css';
import { useSheetEnd } from './use-sheet-end.ts';

/** A new secret for a store's webhooks, after saying what comes of it. Shopify's is the app's own, and made there. */
export function StoreSecret({ store }: { readonly store: Store }) {
  const id = useId();
  const words = STORE_SETTINGS;
  const rotate = useRotateStoreSecret(store._id);
  const tellEnd = useSheetEnd(true);
  const [isAsking, setAsking] = useState(false);
  const question = useRef<HTMLParagraphElement>(null);
  const opener = useRef<HTMLDivElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    // The button that was pressed is gone; a second press of the same key must not answer for the person.
    if (isAsking) question.current?.focus();
    else if (wasAsking.current) opener.current?.querySelector('button')?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);

  const ask = (): void => {
    rotate.reset();
    setAsking(true);
  };
  const rotateNow = (): void => {
    if (rotate.isPending) return;
    const done = (): string => words.rotated(store.name);
    tellEnd(rotate.mutateAsync(undefined), {
      // Both stand in the sheet, which stays.
      onDone: () => setAsking(false),
      onFailed: () => undefined,
      done,
      failed: (error) => `${words.title(store.name)}: ${wordsOf(error, words.rotateFailed)}`,
    });
  };

  // There is no app and no key of a store that this server runs itself.
  if (store.platform === 'shopify' && store.isSandbox) return null;
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={css.legend}>
        {words.secret}
      </h3>
      {store.platform === 'shopify' ? (
        <p className={css.note}>{words.secretOfShopify}</p>
      ) : isAsking ? (
        <div className={css.form}>
          {rotate.error && (
            <Banner tone="bad" urgent>
              {wordsOf(rotate.error, words.rotateFailed)}
            </Banner>
          )}
          <p ref={question} tabIndex={-1} className={css.note}>
            {words.rotateQuestion}
          </p>
          <div className={css.buttons}>
            <Button
              size="sm"
              look="primary"
              icon={<RotateCw aria-hidden="true" />}
              busy={rotate.isPending}
              onClick={rotateNow}
            >
              {words.rotateNow}
            </Button>
            <Button size="sm" onClick={() => setAsking(false)}>
              Leave it as it is
            </Button>
          </div>
        </div>
      ) : (
        <div ref={opener} className={css.form}>
          {rotate.isSuccess && (
            <Banner tone="ok" urgent>
              {words.rotated(store.name)}
            </Banner>
          )}
          <p className={css.note}>{words.secretLead}</p>
          <div className={css.buttons}>
            <Button size="sm" icon={<RotateCw aria-hidden="true" />} onClick={ask}>
              {words.rotate}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}
