import { isEmail } from './email.ts';

export interface SignUpForm {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
  readonly company?: string | null | undefined;
  readonly password?: string | undefined;
  readonly confirmPassword?: string | undefined;
  readonly agreeToTerms?: boolean | undefined;
  readonly subscribeToNewsletter?: boolean | undefined;
  readonly setupToken?: string | undefined;
  /** From an invitation's link. */
  readonly invitation?: string | undefined;
}

const NAME_LENGTH_MAX = 100;
const PASSWORD_LENGTH_MIN = 8;
const PASSWORD_LENGTH_MAX = 256;
const STRENGTH_MIN = 3;

/** 0 to 5: one point each for eight characters or more, a lower-case letter, an upper-case letter, a digit, a symbol. */
export function passwordStrength(password: string): number {
  const parts = [
    password.length >= PASSWORD_LENGTH_MIN,
    /\p{Ll}/u.test(password),
    /\p{Lu}/u.test(password),
    /\p{Nd}/u.test(password),
    /[^\p{L}\p{N}\s]/u.test(password),
  ];
  return parts.filter(Boolean).length;
}

/** The first thing wrong with each field, in the specification's words, by field name; empty when the form is good. */
export function validateSignUp(form: SignUpForm): Record<string, string> {
  const errors: Record<string, string> = {};
  const firstName = form.firstName?.trim() ?? '';
  const lastName = form.lastName?.trim() ?? '';
  const email = form.email?.trim() ?? '';
  if (firstName === '') errors['firstName'] = 'First name is required';
  else if (firstName.length > NAME_LENGTH_MAX) errors['firstName'] = tooLong('First name', NAME_LENGTH_MAX);
  if (lastName === '') errors['lastName'] = 'Last name is required';
  else if (lastName.length > NAME_LENGTH_MAX) errors['lastName'] = tooLong('Last name', NAME_LENGTH_MAX);
  if (email === '') errors['email'] = 'Email is required';
  else if (!isEmail(email)) errors['email'] = 'Please enter a valid email address';
  if ((form.company?.trim() ?? '').length > NAME_LENGTH_MAX) errors['company'] = tooLong('Company', NAME_LENGTH_MAX);
  const password = passwordError(form.password ?? '');
  if (password !== null) errors['password'] = password;
  // Clients of the API that have no second field to type into leave it out; a form never does.
  if (form.confirmPassword === '') errors['confirmPassword'] = 'Please confirm your password';
  else if (form.confirmPassword !== undefined && form.confirmPassword !== form.password) {
    errors['confirmPassword'] = 'Passwords do not match';
  }
  if (form.agreeToTerms !== true) errors['agreeToTerms'] = 'You must agree to the Terms of Service and Privacy Policy';
  return errors;
}

export function passwordError(password: string): string | null {
  if (password === '') return 'Password is required';
  if (password.length < PASSWORD_LENGTH_MIN) return 'Password must be at least 8 characters long';
  if (password.length > PASSWORD_LENGTH_MAX) return tooLong('Password', PASSWORD_LENGTH_MAX);
  if (passwordStrength(password) < STRENGTH_MIN) {
    return 'Password is too weak. Include uppercase, lowercase, numbers, and symbols.';
  }
  return null;
}

function tooLong(what: string, max: number): string {
  return `${what} must be at most ${max} characters long`;
}
