import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { useIsHere } from '../hooks/use-is-here.ts';
import { getPersonKey } from './session.ts';

interface Options<Output, Input>
  extends Pick<UseMutationOptions<Output, Error, Input>, 'mutationFn' | 'onSuccess' | 'gcTime'> {
  /** What did not come about where it fails, as a sentence: told to who has left the form by then. */
  readonly tried?: string;
}
interface After<Output> {
  readonly onSuccess?: (output: Output) => void;
  readonly onError?: (error: Error) => void;
}

const UNNAMED = 'What you had sent from the page before was not done.';

let tellLeft: ((tried: string, error: Error) => void) | null = null;

/** Where it is told that a request failed whose form is gone. */
export function onFailedAfterLeaving(tell: (tried: string, error: Error) => void): void {
  tellLeft = tell;
}

/** A mutation for a form: sent twice, even before the button could be drawn as busy, it is one request. */
export function useSend<Output, Input = void>({ tried = UNNAMED, ...options }: Options<Output, Input>) {
  const isSending = useRef(false);
  const sender = useRef<string | null>(null);
  const isHere = useIsHere();
  const { mutateAsync: _unguarded, ...mutation } = useMutation<Output, Error, Input>({
    ...options,
    // The callbacks of a single send go with the form, and so does what it shows; this one is called all the same.
    onError: (error) => {
      if (!isHere() && sender.current === getPersonKey()) tellLeft?.(tried, error);
    },
    onSettled: () => {
      isSending.current = false;
    },
  });
  const send = mutation.mutate;
  const mutate = useCallback(
    (input: Input, after: After<Output> = {}): void => {
      if (isSending.current) return;
      isSending.current = true;
      sender.current = getPersonKey();
      send(input, after);
    },
    [send],
  );
  return { ...mutation, mutate };
}
