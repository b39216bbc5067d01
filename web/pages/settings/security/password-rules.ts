import { TEXT } from '../../../content/messages.en.ts';
import { SETTINGS_TEXT } from '../../../content/settings-messages.en.ts';
import { checkNewPassword } from '../../../hooks/password-strength.ts';

export interface PasswordForm {
  readonly currentPassword: string;
  readonly password: string;
  readonly confirmPassword: string;
}

export const EMPTY_PASSWORDS: PasswordForm = { currentPassword: '', password: '', confirmPassword: '' };

/** The words of signing up and those of this dialog differ in places; the specification has both. */
const WORDS: Readonly<Record<string, string>> = {
  [TEXT.signup.passwordShort]: SETTINGS_TEXT.password.short,
  [TEXT.signup.mismatch]: SETTINGS_TEXT.password.mismatch,
};

export function checkPasswords(form: PasswordForm): Partial<PasswordForm> {
  const { password, confirmPassword } = checkNewPassword(form);
  const isSame = password === undefined && form.password === form.currentPassword;
  const wrong = isSame ? SETTINGS_TEXT.password.same : password;
  return {
    ...(form.currentPassword === '' ? { currentPassword: SETTINGS_TEXT.password.currentRequired } : {}),
    ...(wrong === undefined ? {} : { password: WORDS[wrong] ?? wrong }),
    ...(confirmPassword === undefined ? {} : { confirmPassword: WORDS[confirmPassword] ?? confirmPassword }),
  };
}

/** What the server refused, by the names that the fields have here. */
export function placeRefusals(refused: {
  readonly currentPassword?: string;
  readonly newPassword?: string;
  readonly confirmPassword?: string;
}): Partial<PasswordForm> {
  const { currentPassword, newPassword, confirmPassword } = refused;
  return {
    ...(currentPassword === undefined ? {} : { currentPassword }),
    ...(newPassword === undefined ? {} : { password: newPassword }),
    ...(confirmPassword === undefined ? {} : { confirmPassword }),
  };
}
