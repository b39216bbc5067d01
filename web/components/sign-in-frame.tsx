import { lazy, type ReactNode, Suspense } from 'react';
import { Link } from 'wouter';
import { Logo } from './logo.tsx';
import css from './sign-in-frame.module.css';

/** Nobody waits for a picture: the form is there before it. */
const TwinShelfPicture = lazy(() =>
  import('./twin-shelf-picture.tsx').then((part) => ({ default: part.TwinShelfPicture })),
);

interface SignInFrameProps {
  readonly brand: string;
  readonly homeHref: string;
  readonly children: ReactNode;
}

/** Form left, quiet twin shelf right. */
export function SignInFrame({ brand, homeHref, children }: SignInFrameProps) {
  return (
    <div className={css.frame}>
      <div className={css.side}>
        <Link href={homeHref} className={css.logo}>
          <Logo name={brand} />
        </Link>
        <div className={css.form}>{children}</div>
      </div>
      <div className={css.picture} aria-hidden="true">
        <Suspense fallback={null}>
          <TwinShelfPicture compact />
        </Suspense>
      </div>
    </div>
  );
}
