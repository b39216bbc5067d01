import { Banner } from './banner.tsx';
import { Button } from './button.tsx';

interface UnheardSignOutProps {
  readonly isUnheard: boolean;
  readonly isTelling: boolean;
  /** It was open, and is no more. */
  readonly wasHeard: boolean;
  readonly onAgain: () => void;
}

/** Signed out here, and not there: nobody should leave a shared computer in the belief that they are. */
export function UnheardSignOut({ isUnheard, isTelling, wasHeard, onAgain }: UnheardSignOutProps) {
  if (wasHeard) return <Banner tone="ok">The server has heard that you signed out: your session is over.</Banner>;
  if (!isUnheard) return null;
  return (
    <Banner
      tone="warn"
      urgent
      actions={
        <Button size="sm" busy={isTelling} onClick={onAgain}>
          Sign out again
        </Button>
      }
    >
      The server did not hear that you signed out, and keeps your session open. It is told again every half minute. Do
      not leave a shared computer before this notice is gone.
    </Banner>
  );
}
