import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { sendContactMessage } from '../../api/contact.ts';
import { refusedFields, wordsOf } from '../../api/error-words.ts';
import { Banner } from '../../components/banner.tsx';
import { bindText } from '../../components/bind-text.ts';
import { Button } from '../../components/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { SITE } from '../../content/site.ts';
import { withoutMarks } from '../../hooks/typed-text.ts';
import { useRefusals } from '../../hooks/use-refusals.ts';
import css from './contact-form.module.css';
import { CONTACT_FIELDS, checkContact, type ContactForm as Form, keepDraft, readDraft } from './contact-rules.ts';

const EMPTY: Form = { name: '', email: '', subject: '', message: '' };
const MESSAGE_ROWS = 6;

const TOPICS = [
  { value: '', label: TEXT.contact.choose },
  ...Object.entries(TEXT.contact.topics).map(([value, label]) => ({ value, label })),
];

type State = { readonly kind: 'idle' | 'sending' | 'sent' } | { readonly kind: 'failed'; readonly text: string };

function reasonOf(error: unknown): string {
  const isUnanswered = error instanceof ApiError && error.status === 0;
  return isUnanswered ? `${TEXT.contact.failed} ${error.message}` : wordsOf(error, TEXT.contact.failed);
}

function typedIn(form: HTMLFormElement | null): Partial<Form> {
  return Object.fromEntries(new FormData(form ?? undefined)) as Partial<Form>;
}

export function ContactForm() {
  const search = useSearch();
  const { formRef, errors, refuse, forgive } = useRefusals<keyof Form>();
  const isSending = useRef(false);
  const [form, setForm] = useState<Form>(EMPTY);
  const [state, setState] = useState<State>({ kind: 'idle' });
  /** The page is there before its script: until then the browser would send the form itself, with everything in the address. */
  const [isAlive, setIsAlive] = useState(false);

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

  // Who was quicker than the script has typed already.
  useEffect(() => {
    const typed = Object.entries(typedIn(formRef.current)).filter(([, value]) => value !== '');
    setForm((known) => ({ ...known, ...Object.fromEntries(typed) }));
    setIsAlive(true);
  }, [formRef]);

  const edit = (name: keyof Form, value: string): void => {
    setForm((known) => ({ ...known, [name]: value }));
    // What was typed a moment ago stands in the page, and need not be drawn yet.
    keepDraft({ ...form, ...typedIn(formRef.current) });
    forgive(name);
    if (state.kind !== 'sending') setState({ kind: 'idle' });
  };

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    // The button says so a moment later: a second press in between sends nothing.
    if (isSending.current || refuse(checkContact(form))) return;
    isSending.current = true;
    setState({ kind: 'sending' });
    try {
      await sendContactMessage({ ...form, email: withoutMarks(form.email) });
      keepDraft(null);
      setForm(EMPTY);
      setState({ kind: 'sent' });
    } catch (error) {
      if (refuse(refusedFields(error, CONTACT_FIELDS))) setState({ kind: 'idle' });
      else setState({ kind: 'failed', text: reasonOf(error) });
    } finally {
      isSending.current = false;
    }
  };

  const field = bindText<keyof Form>({ form, errors, edit });

  return (
    <form
      ref={formRef}
      className={css.form}
      noValidate
      onSubmit={(event) => void submit(event)}
      aria-label="Write to us"
    >
      <div className={css.pair}>
        <TextField label="Name" autoComplete="name" dir="auto" required {...field('name')} />
        <TextField label="Email" type="email" inputMode="email" autoComplete="email" required {...field('email')} />
      </div>
      <SelectField label="Subject" options={TOPICS} required {...field('subject')} />
      <TextAreaField
        label="Message"
        rows={MESSAGE_ROWS}
        placeholder={TEXT.contact.placeholder}
        dir="auto"
        required
        {...field('message')}
      />
      {state.kind === 'sent' && (
        <Banner tone="ok" urgent>
          {SITE.responseTimes === null ? TEXT.contact.sent : TEXT.contact.sentInTime}
        </Banner>
      )}
      {state.kind === 'failed' && (
        <Banner tone="bad" urgent>
          {state.text}
        </Banner>
      )}
      <Button type="submit" look="primary" size="lg" disabled={!isAlive} aria-disabled={state.kind === 'sending'}>
        {state.kind === 'sending' ? TEXT.contact.sending : TEXT.contact.send}
      </Button>
    </form>
  );
}
