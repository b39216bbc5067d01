import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { sendContactMessage } from '../../api/contact.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { formatDuration } from '../../hooks/format.ts';
import css from './contact-form.module.css';
import { type ContactErrors, checkContact, type ContactForm as Form, keepDraft, readDraft } from './contact-rules.ts';

const EMPTY: Form = { name: '', email: '', subject: '', message: '' };
const MESSAGE_ROWS = 6;

const TOPICS = [
  { value: '', label: TEXT.contact.choose },
  ...Object.entries(TEXT.contact.topics).map(([value, label]) => ({ value, label })),
];

type State = { readonly kind: 'idle' | 'sending' | 'sent' } | { readonly kind: 'failed'; readonly text: string };

function wordsOf(error: unknown): string {
  if (!(error instanceof ApiError)) return TEXT.contact.failed;
  const waitMs = error.details['retryAfterMs'];
  if (error.status === 429)
    return `${error.message}${typeof waitMs === 'number' ? ` Wait ${formatDuration(waitMs)}.` : ''}`;
  return error.status === 0 ? `${TEXT.contact.failed} ${error.message}` : TEXT.contact.failed;
}

export function ContactForm() {
  const search = useSearch();
  const formRef = useRef<HTMLFormElement>(null);
  const [form, setForm] = useState<Form>(EMPTY);
  const [errors, setErrors] = useState<ContactErrors>({});
  const [tries, setTries] = useState(0);
  const [state, setState] = useState<State>({ kind: 'idle' });

  // What the address asks for, and what was typed before, are not known while the page is drawn at build time.
  useEffect(() => {
    const params = new URLSearchParams(search);
    const topic = params.get('topic') ?? '';
    const about = params.get('about') ?? '';
    const draft = readDraft();
    setForm((known) => ({
      ...known,
      ...draft,
      ...(topic in TEXT.contact.topics ? { subject: topic } : {}),
      ...(about !== '' && !draft.message ? { message: `${about.slice(0, 200)}\n\n` } : {}),
    }));
  }, [search]);

  useEffect(() => {
    if (tries > 0) formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);

  const edit = (name: keyof Form, value: string): void => {
    const next = { ...form, [name]: value };
    setForm(next);
    keepDraft(next);
    setErrors(({ [name]: _gone, ...rest }) => rest);
    if (state.kind !== 'sending') setState({ kind: 'idle' });
  };

  const refuse = (found: ContactErrors): boolean => {
    setErrors(found);
    if (Object.keys(found).length === 0) return false;
    setTries((count) => count + 1);
    return true;
  };

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (state.kind === 'sending' || refuse(checkContact(form))) return;
    setState({ kind: 'sending' });
    try {
      await sendContactMessage(form);
      keepDraft(null);
      setForm(EMPTY);
      setState({ kind: 'sent' });
    } catch (error) {
      const fields: ContactErrors = error instanceof ApiError ? Object.fromEntries(error.fields) : {};
      if (refuse(fields)) setState({ kind: 'idle' });
      else setState({ kind: 'failed', text: wordsOf(error) });
    }
  };

  const field = (name: keyof Form) => ({
    name,
    value: form[name],
    error: errors[name],
    required: true,
    onChange: (event: { readonly target: { readonly value: string } }) => edit(name, event.target.value),
  });

  return (
    <form
      ref={formRef}
      className={css.form}
      noValidate
      onSubmit={(event) => void submit(event)}
      aria-label="Write to us"
    >
      <div className={css.pair}>
        <TextField label="Name" autoComplete="name" {...field('name')} />
        <TextField label="Email" type="email" inputMode="email" autoComplete="email" {...field('email')} />
      </div>
      <SelectField label="Subject" options={TOPICS} {...field('subject')} />
      <TextAreaField
        label="Message"
        rows={MESSAGE_ROWS}
        placeholder={TEXT.contact.placeholder}
        dir="auto"
        {...field('message')}
      />
      {state.kind === 'sent' && (
        <Banner tone="ok" urgent>
          {TEXT.contact.sent}
        </Banner>
      )}
      {state.kind === 'failed' && (
        <Banner tone="bad" urgent>
          {state.text}
        </Banner>
      )}
      <Button type="submit" look="primary" size="lg" disabled={state.kind === 'sending'}>
        {state.kind === 'sending' ? TEXT.contact.sending : TEXT.contact.send}
      </Button>
    </form>
  );
}
