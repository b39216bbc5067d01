import { TEXT } from '../../../content/messages.en.ts';
import { withoutMarks } from '../../../hooks/typed-text.ts';

/** What shows who somebody is. The code only where two-factor sign-in is on. */
export interface ProofForm {
  readonly password: string;
  readonly code: string;
}

export const EMPTY_PROOF: ProofForm = { password: '', code: '' };
export const PROOF_FIELDS = ['password', 'code'] as const;

/** As it was meant: apps show codes in groups, and they are pasted so. */
export function plainCode(typed: string): string {
  return withoutMarks(typed).replace(/\s/g, '');
}

export function checkProof({ password, code }: ProofForm, isCodeAsked: boolean): Partial<ProofForm> {
  return {
    ...(password === '' ? { password: TEXT.signup.password } : {}),
    ...(isCodeAsked && plainCode(code) === '' ? { code: TEXT.twoFactor.required } : {}),
  };
}

export function proofOf({ password, code }: ProofForm): { readonly password: string; readonly code?: string } {
  const plain = plainCode(code);
  return plain === '' ? { password } : { password, code: plain };
}
