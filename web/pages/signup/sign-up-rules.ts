import { TEXT } from '../../content/messages.en.ts';
import { checkNewPassword } from '../../hooks/password-strength.ts';
import { emailError } from '../../hooks/typed-text.ts';
import type { Refused } from '../../hooks/use-refusals.ts';

export interface SignUpForm {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly company: string;
  readonly password: string;
  readonly confirmPassword: string;
  readonly agreeToTerms: boolean;
  readonly subscribeToNewsletter: boolean;
  readonly setupToken: string;
}

export const EMPTY_FORM: SignUpForm = {
  firstName: '',
  lastName: '',
  email: '',
  company: '',
  password: '',
  confirmPassword: '',
  agreeToTerms: false,
  subscribeToNewsletter: true,
  setupToken: '',
};

export type SignUpErrors = Refused<keyof SignUpForm>;

export const ACCOUNT_FIELDS = ['firstName', 'lastName', 'email', 'company'] as const;
export const SECURITY_FIELDS = ['password', 'confirmPassword', 'setupToken', 'agreeToTerms'] as const;

const NAME_LENGTH_MAX = 100;

function isTooLong(name: string): boolean {
  return name.trim().length > NAME_LENGTH_MAX;
}

export function checkAccount({ firstName, lastName, email, company }: SignUpForm): SignUpErrors {
  const text = TEXT.signup;
  const long = (what: string) => text.tooLong(what, NAME_LENGTH_MAX);
  const wrongEmail = emailError(email);
  return {
    ...(firstName.trim() === '' ? { firstName: text.firstName } : {}),
    ...(isTooLong(firstName) ? { firstName: long('First name') } : {}),
    ...(lastName.trim() === '' ? { lastName: text.lastName } : {}),
    ...(isTooLong(lastName) ? { lastName: long('Last name') } : {}),
    ...(wrongEmail === null ? {} : { email: wrongEmail }),
    ...(isTooLong(company) ? { company: long('Company') } : {}),
  };
}

export function checkSecurity({ password, confirmPassword, agreeToTerms }: SignUpForm): SignUpErrors {
  return {
    ...checkNewPassword({ password, confirmPassword }),
    ...(agreeToTerms ? {} : { agreeToTerms: TEXT.signup.terms }),
  };
}
