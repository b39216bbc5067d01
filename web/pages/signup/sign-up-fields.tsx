import { bindText } from '../../components/bind-text.ts';
import { CheckField, TextField } from '../../components/field.tsx';
import { NewPasswordFields } from '../../components/new-password-fields.tsx';
import { link } from '../../routes.ts';
import type { ACCOUNT_FIELDS, SignUpErrors, SignUpForm } from './sign-up-rules.ts';
import css from './signup-page.module.css';

interface FieldsProps {
  readonly form: SignUpForm;
  readonly errors: SignUpErrors;
  readonly edit: <Name extends keyof SignUpForm>(name: Name, value: SignUpForm[Name]) => void;
}

export function AccountFields(fields: FieldsProps) {
  const field = bindText<(typeof ACCOUNT_FIELDS)[number]>(fields);
  return (
    <>
      <div className={css.pair}>
        <TextField label="First name" autoComplete="given-name" dir="auto" {...field('firstName')} />
        <TextField label="Last name" autoComplete="family-name" dir="auto" {...field('lastName')} />
      </div>
      <TextField label="Email" type="email" autoComplete="email" inputMode="email" {...field('email')} />
      <TextField label="Company" optional autoComplete="organization" dir="auto" {...field('company')} />
    </>
  );
}

export function SecurityFields({ needsToken, ...fields }: FieldsProps & { readonly needsToken: boolean }) {
  const { form, errors, edit } = fields;
  return (
    <>
      {/* Password managers look for the name that the password belongs to. */}
      <input type="hidden" name="username" autoComplete="username" value={form.email} readOnly />
      <NewPasswordFields label="Password" form={form} errors={errors} edit={edit} />
      {needsToken && (
        <TextField
          label="Set-up token"
          autoComplete="off"
          spellCheck={false}
          hint="Printed in the server's log when it started."
          {...bindText<'setupToken'>(fields)('setupToken')}
        />
      )}
      <CheckField
        label={
          <>
            I agree to the{' '}
            <a href={link.terms()} target="_blank" rel="noreferrer">
              Terms of Service
            </a>{' '}
            and{' '}
            <a href={link.privacy()} target="_blank" rel="noreferrer">
              Privacy Policy
            </a>
          </>
        }
        name="agreeToTerms"
        checked={form.agreeToTerms}
        error={errors.agreeToTerms}
        onChange={(event) => edit('agreeToTerms', event.target.checked)}
      />
      <CheckField
        label="Send me news about the product"
        name="subscribeToNewsletter"
        checked={form.subscribeToNewsletter}
        onChange={(event) => edit('subscribeToNewsletter', event.target.checked)}
      />
    </>
  );
}
