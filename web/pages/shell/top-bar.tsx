import { LogOut } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import type { User } from '../../../src/contracts/auth.ts';
import { useLogout } from '../../api/sign-out.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { HiddenText } from '../../components/hidden-text.tsx';
import { LogoMark } from '../../components/logo.tsx';
import { Tag } from '../../components/tag.tsx';
import { BRAND } from '../../content/brand.ts';
import { link } from '../../routes.ts';
import { LiveBadge } from './live-badge.tsx';
import { PaletteDoor } from './palette-door.tsx';
import { ThemeMenu } from './theme-menu.tsx';
import css from './top-bar.module.css';

export function TopBar({ user }: { readonly user: User }) {
  const [, navigate] = useLocation();
  const logout = useLogout();
  const leave = async (): Promise<void> => {
    await logout.mutateAsync();
    navigate(link.login(), { replace: true });
  };
  return (
    <header className={css.bar}>
      <Link href={link.landing()} className={css.logo} aria-label={BRAND.name}>
        <LogoMark />
        <span className={css.name}>{BRAND.name}</span>
      </Link>
      <p className={css.workspace}>
        <HiddenText>Workspace:</HiddenText>
        <span className={css.workspaceName}>{user.workspace.name.replace(/ \(demo\)$/, '')}</span>
        {user.isDemo && <Tag tone="gold">Demo</Tag>}
      </p>
      <div className={css.end}>
        <LiveBadge />
        <PaletteDoor />
        <ThemeMenu />
        <span className={css.logoutWide}>
          <Button
            look="ghost"
            icon={<LogOut aria-hidden="true" />}
            busy={logout.isPending}
            onClick={() => void leave()}
          >
            Logout
          </Button>
        </span>
        <span className={css.logoutNarrow}>
          <IconButton label="Logout" icon={<LogOut aria-hidden="true" />} onClick={() => void leave()} />
        </span>
      </div>
    </header>
  );
}
