import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

type Options<Output, Input> = Pick<UseMutationOptions<Output, Error, Input>, 'mutationFn' | 'onSuccess' | 'gcTime'>;
interface After<Output> {
  readonly onSuccess?: (output: Output) => void;
  readonly onError?: (error: Error) => void;
}

/** A mutation for a form: sent twice, even before the button could be drawn as busy, it is one request. */
export function useSend<Output, Input = void>(options: Options<Output, Input>) {
  const isSending = useRef(false);
  const { mutateAsync: _unguarded, ...mutation } = useMutation<Output, Error, Input>({
    ...options,
    onSettled: () => {
      isSending.current = false;
    },
  });
  const send = mutation.mutate;
  const mutate = useCallback(
    (input: Input, after: After<Output> = {}): void => {
      if (isSending.current) return;
      isSending.current = true;
      send(input, after);
    },
    [send],
  );
  return { ...mutation, mutate };
}
