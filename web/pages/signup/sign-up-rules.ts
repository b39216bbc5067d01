import { TEXT } from '../../content/messages.en.ts';
import { checkNewPassword } from '../../hooks/password-strength.ts';

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

export type SignUpErrors = Partial<Record<keyof SignUpForm, string>>;

export function checkAccount({ firstName, lastName, email }: SignUpForm): SignUpErrors {
  const text = TEXT.signup;
  return {
    ...(firstName.trim() === '' ? { firstName: text.firstName } : {}),
    ...(lastName.trim() === '' ? { lastName: text.lastName } : {}),
    ...(email.trim() === ''
      ? { email: text.email }
      : /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim())
        ? {}
        : { email: text.emailShape }),
  };
}

export function checkSecurity({ password, confirmPassword, agreeToTerms }: SignUpForm): SignUpErrors {
  return {
    ...checkNewPassword({ password, confirmPassword }),
    ...(agreeToTerms ? {} : { agreeToTerms: TEXT.signup.terms }),
  };
}
