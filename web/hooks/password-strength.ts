import { TEXT } from '../content/messages.en.ts';

const PASSWORD_LENGTH_MIN = 8;
const PASSWORD_LENGTH_MAX = 256;
const STRENGTH_MIN = 3;

/** The five parts of a strong password, one point each. */
export function strengthParts(password: string): readonly { readonly name: string; readonly isMet: boolean }[] {
  return [
    { name: '8 characters', isMet: password.length >= PASSWORD_LENGTH_MIN },
    { name: 'a lowercase letter', isMet: /\p{Ll}/u.test(password) },
    { name: 'an uppercase letter', isMet: /\p{Lu}/u.test(password) },
    { name: 'a number', isMet: /\p{Nd}/u.test(password) },
    { name: 'a symbol', isMet: /[^\p{L}\p{N}\s]/u.test(password) },
  ];
}

export function strengthOf(password: string): number {
  return strengthParts(password).filter(({ isMet }) => isMet).length;
}

/** What is wrong with a new password and with its repetition, in the specification's words. */
export function checkNewPassword({
  password,
  confirmPassword,
}: {
  readonly password: string;
  readonly confirmPassword: string;
}): { readonly password?: string; readonly confirmPassword?: string } {
  const text = TEXT.signup;
  const wrongPassword =
    password === ''
      ? text.password
      : password.length < PASSWORD_LENGTH_MIN
        ? text.passwordShort
        : password.length > PASSWORD_LENGTH_MAX
          ? text.tooLong('Password', PASSWORD_LENGTH_MAX)
          : strengthOf(password) < STRENGTH_MIN
            ? text.passwordWeak
            : null;
  const wrongConfirm = confirmPassword === '' ? text.confirm : confirmPassword !== password ? text.mismatch : null;
  return {
    ...(wrongPassword ? { password: wrongPassword } : {}),
    ...(wrongConfirm ? { confirmPassword: wrongConfirm } : {}),
  };
}
