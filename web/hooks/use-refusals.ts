import { useEffect, useRef, useState } from 'react';

/** What is wrong with the fields of a form, by their names. */
export type Refused<Name extends string> = { readonly [Field in Name]?: string };

/** A form's refused fields: after each try the first of them has the focus, and editing a field takes its words away. */
export function useRefusals<Name extends string>() {
  const formRef = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Refused<Name>>({});
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (tries > 0) formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);
  return {
    formRef,
    errors,
    /** Shows what was found in place of what was found before; false when nothing was. */
    refuse: (found: Refused<Name>): boolean => {
      setErrors(found);
      const isRefused = Object.keys(found).length > 0;
      if (isRefused) setTries((count) => count + 1);
      return isRefused;
    },
    forgive: (name: Name): void => setErrors(({ [name]: _gone, ...rest }) => rest as Refused<Name>),
  };
}
