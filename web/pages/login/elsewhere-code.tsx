import { useLocation } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { useCodeElsewhere } from '../../api/auth.ts';
import { refusedFields, wordsOf } from '../../api/error-words.ts';
import { SignInFrame } from '../../components/sign-in-frame.tsx';
import { BRAND } from '../../content/brand.ts';
import { TEXT } from '../../content/messages.en.ts';
import { link } from '../../routes.ts';
import { CodeForm } from './code-form.tsx';
import css from './login-page.module.css';

/** The provider has vouched for who comes back, and two-factor sign-in is on for their account. */
export function ElsewhereCode() {
  const [, navigate] = useLocation();
  const { mutate, error, isPending } = useCodeElsewhere();
  const isOver = error instanceof ApiError && error.code === 'TOKEN_INVALID';
  const problem = isOver
    ? TEXT.twoFactor.tooLate
    : error && (refusedFields(error, ['code']).code ?? wordsOf(error, TEXT.login.failed));
  return (
    <SignInFrame brand={BRAND.name} homeHref={link.landing()}>
      <h1 className={css.title}>{TEXT.twoFactor.title}</h1>
      <CodeForm
        isPending={isPending}
        error={problem ?? undefined}
        onSend={(code) => mutate(code, { onSuccess: () => navigate(link.overview(), { replace: true }) })}
        onBack={() => navigate(link.login(), { replace: true })}
      />
    </SignInFrame>
  );
}
