import { FlaskConical } from 'lucide-react';
import { Link } from 'wouter';
import type { User } from '../../../src/contracts/auth.ts';
import { useDemoSession } from '../../api/auth.ts';
import { wordsOf } from '../../api/error-words.ts';
import { Banner } from '../../components/banner.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { TwinShelfPicture } from '../../components/twin-shelf-picture.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { link } from '../../routes.ts';
import css from './demo-door.module.css';

interface DemoDoorProps {
  readonly user: User | null;
  /** This visitor's demo was thrown away: nobody used it for a while, or the server was started anew. */
  readonly isOver: boolean;
}

/** The demo is a workspace of its own: someone who is signed in elsewhere is told before it is left. */
export function DemoDoor({ user, isOver }: DemoDoorProps) {
  const demo = useDemoSession();
  return (
    <div className={css.door}>
      <div className={css.words}>
        <h1 className={css.title}>{isOver ? 'This demo is over' : 'Two stores, one click'}</h1>
        <p className={css.lead}>
          {isOver && 'Nobody used it for a while, or the server was restarted: what was in it is gone. '}A WooCommerce
          and a Shopify sandbox store, run by this server and joined by the engine that real stores use. Sell, restock
          or edit on one side and watch it arrive on the other.
        </p>
        {user && !user.isDemo && (
          <p className={css.lead}>
            It opens a workspace of its own and signs you out of {user.workspace.name}. To stay there, load demo data:{' '}
            <Link href={link.overview()}>Overview</Link>.
          </p>
        )}
        <div className={css.actions}>
          <Button
            look="primary"
            size="lg"
            icon={<FlaskConical aria-hidden="true" />}
            busy={demo.isPending}
            onClick={() => demo.mutate()}
          >
            {isOver ? 'Open a new demo' : 'Open the demo'}
          </Button>
          {!user && (
            <ButtonLink href={link.login()} size="lg">
              Sign in
            </ButtonLink>
          )}
        </div>
        {demo.error && (
          <Banner tone="bad" urgent>
            {wordsOf(demo.error, TEXT.dashboard.demoFailed)}
          </Banner>
        )}
      </div>
      <div className={css.picture}>
        <TwinShelfPicture />
      </div>
    </div>
  );
}
