import { CheckField, TextField } from '../../components/field.tsx';
import { NewPasswordFields } from '../../components/new-password-fields.tsx';
import { link } from '../../routes.ts';
import type { SignUpErrors, SignUpForm } from './sign-up-rules.ts';
import css from './signup-page.module.css';

interface FieldsProps {
  readonly form: SignUpForm;
  readonly errors: SignUpErrors;
  readonly edit: <Name extends keyof SignUpForm>(name: Name, value: SignUpForm[Name]) => void;
}

export function AccountFields({ form, errors, edit }: FieldsProps) {
  return (
    <>
      <div className={css.pair}>
        <TextField
          label="First name"
          name="firstName"
          autoComplete="given-name"
          dir="auto"
          value={form.firstName}
          error={errors.firstName}
          onChange={(event) => edit('firstName', event.target.value)}
        />
        <TextField
          label="Last name"
          name="lastName"
          autoComplete="family-name"
          dir="auto"
          value={form.lastName}
          error={errors.lastName}
          onChange={(event) => edit('lastName', event.target.value)}
        />
      </div>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        inputMode="email"
        value={form.email}
        error={errors.email}
        onChange={(event) => edit('email', event.target.value)}
      />
      <TextField
        label="Company"
        name="company"
        optional
        autoComplete="organization"
        dir="auto"
        value={form.company}
        error={errors.company}
        onChange={(event) => edit('company', event.target.value)}
      />
    </>
  );
}

export function SecurityFields({ form, errors, edit, needsToken }: FieldsProps & { readonly needsToken: boolean }) {
  return (
    <>
      {/* Password managers look for the name that the password belongs to. */}
      <input type="hidden" name="username" autoComplete="username" value={form.email} readOnly />
      <NewPasswordFields label="Password" form={form} errors={errors} edit={edit} />
      {needsToken && (
        <TextField
          label="Set-up token"
          name="setupToken"
          autoComplete="off"
          spellCheck={false}
          hint="Printed in the server's log when it started."
          value={form.setupToken}
          error={errors.setupToken}
          onChange={(event) => edit('setupToken', event.target.value)}
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
