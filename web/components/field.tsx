import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { classNames } from './class-names.ts';
import css from './field.module.css';

interface FieldTexts {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** Words next to the cause; the input points at them. */
  readonly error?: string | undefined;
}

type InputProps = Omit<ComponentProps<'input'>, 'className' | 'id'>;

function Notes({
  id,
  hint,
  error,
}: {
  readonly id: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}) {
  if (hint && error)
    // In the place of the hint, and not of another height: nothing below moves.
    return (
      <div className={css.notes}>
        <p className={css.hint} style={{ visibility: 'hidden' }}>
          {hint}
        </p>
        <p id={`${id}-error`} className={css.error}>
          {error}
        </p>
      </div>
    );
  return (
    <>
      {hint && (
        <p id={`${id}-hint`} className={css.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={css.error}>
          {error}
        </p>
      )}
    </>
  );
}

function describe(id: string, hint: ReactNode, error: string | undefined) {
  if (error) return { 'aria-invalid': true as const, 'aria-describedby': `${id}-error` };
  return hint ? { 'aria-describedby': `${id}-hint` } : {};
}

interface TextFieldProps extends FieldTexts, InputProps {
  readonly prefix?: string;
  readonly optional?: boolean;
}

export function TextField({ label, hint, error, optional = false, prefix, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <div className={css.field}>
      <label htmlFor={id} className={css.label}>
        {label} {optional && <span className={css.optional}>optional</span>}
      </label>
      <div className={classNames(css.box, prefix !== undefined && css.prefixed)}>
        {prefix !== undefined && (
          <span className={css.prefix} aria-hidden="true">
            {prefix}
          </span>
        )}
        <input {...input} id={id} className={css.input} {...describe(id, hint, error)} />
      </div>
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

export function PasswordField({
  label,
  hint,
  error,
  optional = false,
  ...input
}: FieldTexts & InputProps & { readonly optional?: boolean }) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div className={css.field}>
      <label htmlFor={id} className={css.label}>
        {label} {optional && <span className={css.optional}>optional</span>}
      </label>
      <div className={css.box}>
        <input
          {...input}
          id={id}
          type={isShown ? 'text' : 'password'}
          className={classNames(css.input, css.withButton)}
          autoCapitalize="none"
          spellCheck={false}
          {...describe(id, hint, error)}
        />
        <button
          type="button"
          className={css.reveal}
          aria-pressed={isShown}
          aria-label={isShown ? 'Hide password' : 'Show password'}
          onClick={() => setShown(!isShown)}
        >
          <Icon aria-hidden="true" />
        </button>
      </div>
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

interface SelectFieldProps extends FieldTexts, Omit<ComponentProps<'select'>, 'className' | 'id'> {
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

export function SelectField({ label, hint, error, options, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={css.field}>
      <label htmlFor={id} className={css.label}>
        {label}
      </label>
      <select {...select} id={id} className={classNames(css.input, css.select)} {...describe(id, hint, error)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

interface TextAreaFieldProps extends FieldTexts, Omit<ComponentProps<'textarea'>, 'className' | 'id'> {}

export function TextAreaField({ label, hint, error, ...area }: TextAreaFieldProps) {
  const id = useId();
  return (
    <div className={css.field}>
      <label htmlFor={id} className={css.label}>
        {label}
      </label>
      <textarea {...area} id={id} className={classNames(css.input, css.area)} {...describe(id, hint, error)} />
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

export function CheckField({ label, hint, error, ...input }: FieldTexts & InputProps) {
  const id = useId();
  return (
    <div className={css.field}>
      <label className={css.check}>
        <input {...input} id={id} type="checkbox" className={css.checkbox} {...describe(id, hint, error)} />
        <span>{label}</span>
      </label>
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}
