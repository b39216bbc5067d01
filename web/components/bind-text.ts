import type { Refused } from '../hooks/use-refusals.ts';

interface TextForm<Name extends string> {
  readonly form: Readonly<Record<Name, string>>;
  readonly errors: Refused<Name>;
  readonly edit: (name: Name, value: string) => void;
}

interface Edited {
  readonly target: { readonly value: string };
}

/** What ties a field to its place in a form: its name there, what stands in it, what is wrong with that, and what to do when it is edited. */
export function bindText<Name extends string>({ form, errors, edit }: TextForm<Name>) {
  return (name: Name) => ({
    name,
    value: form[name],
    error: errors[name],
    onChange: (event: Edited) => edit(name, event.target.value),
  });
}
