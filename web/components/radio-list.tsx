import { type ReactNode, useId } from 'react';
import css from './radio-list.module.css';

interface RadioListProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: ReactNode; readonly text: ReactNode }[];
  readonly onChange: (value: T) => void;
  /** What the server refused about the choice. */
  readonly error?: string | undefined;
}

/** One of a few, each with a sentence that says what it means. */
export function RadioList<T extends string>({ label, value, options, onChange, error }: RadioListProps<T>) {
  const id = useId();
  return (
    <fieldset className={css.group} {...(error ? { 'aria-describedby': `${id}-error` } : {})}>
      <legend className={css.legend}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={css.option}>
          <input
            type="radio"
            name={id}
            value={option.value}
            checked={option.value === value}
            aria-labelledby={`${id}-${option.value}-label`}
            aria-describedby={`${id}-${option.value}`}
            {...(error && option.value === value ? { 'aria-invalid': true as const } : {})}
            onChange={() => onChange(option.value)}
          />
          <span className={css.words}>
            <span id={`${id}-${option.value}-label`} className={css.label}>
              {option.label}
            </span>
            <span id={`${id}-${option.value}`} className={css.text}>
              {option.text}
            </span>
          </span>
        </label>
      ))}
      {error && (
        <p id={`${id}-error`} className={css.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
