import { invalidField } from './app-error.ts';

/** What somebody calls a thing of theirs, without the space around it. Refuses a name that is nothing else. */
export function givenName(text: string): string {
  const name = text.trim();
  if (name === '') throw invalidField('name', 'name: must not be empty');
  return name;
}
