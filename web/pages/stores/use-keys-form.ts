import { type RefObject, useEffect, useRef, useState } from 'react';
import { refusedFields } from '../../api/error-words.ts';
import { type ConnectErrors, type ConnectForm, EMPTY_CONNECT } from './connect-form.ts';

export interface KeysForm {
  readonly form: ConnectForm;
  readonly errors: ConnectErrors;
  /** For the form element: the first field that was refused gets the focus. */
  readonly ref: RefObject<HTMLFormElement | null>;
  readonly edit: (name: keyof ConnectForm, value: string) => void;
  /** Whether nothing was found, locally, that stands in the way; else it is shown. */
  readonly accept: (found: ConnectErrors) => boolean;
  /** Shows what the server says of single fields. */
  readonly showFields: (error: Error) => void;
  /** What the server said that is about no single field. */
  readonly rest: (error: Error | null) => Error | null;
  readonly clearErrors: () => void;
  readonly clear: () => void;
}

const NAMES = Object.keys(EMPTY_CONNECT) as (keyof ConnectForm)[];

/** What is typed into a form of addresses and keys, and what is wrong with it: nothing typed is lost by a refusal. */
export function useKeysForm(): KeysForm {
  const ref = useRef<HTMLFormElement>(null);
  const [form, setForm] = useState<ConnectForm>(EMPTY_CONNECT);
  const [errors, setErrors] = useState<ConnectErrors>({});
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (tries > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);

  const refuse = (found: ConnectErrors): void => {
    setErrors(found);
    setTries((count) => count + 1);
  };
  const clearErrors = (): void => setErrors({});
  return {
    form,
    errors,
    ref,
    edit(name, value) {
      setForm((known) => ({ ...known, [name]: value }));
      setErrors(({ [name]: _gone, ...others }) => others);
    },
    accept(found) {
      const isFine = Object.keys(found).length === 0;
      if (!isFine) refuse(found);
      return isFine;
    },
    showFields(error) {
      const found = refusedFields(error, NAMES);
      if (Object.keys(found).length > 0) refuse(found);
    },
    rest: (error) => (Object.keys(errors).length === 0 ? error : null),
    clearErrors,
    clear() {
      setForm(EMPTY_CONNECT);
      clearErrors();
    },
  };
}
