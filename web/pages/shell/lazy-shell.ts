import type { ReactNode } from 'react';
import type { User } from '../../../src/contracts/auth.ts';
import { lazyPart } from '../../lazy-page.tsx';

export interface ShellProps {
  readonly user: User;
  readonly children: ReactNode;
}

/** The frame of the signed-in area. */
export const SHELL = lazyPart<ShellProps>('shell', () => import('./shell.tsx').then((m) => m.Shell));
