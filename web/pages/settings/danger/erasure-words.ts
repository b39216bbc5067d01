import type { ErasureReply } from '../../../api/account.ts';

export interface Leaving {
  /** `gone`: nobody else belongs to it; `blocked`: somebody has to become its owner first. */
  readonly standing: 'free' | 'gone' | 'blocked' | 'unknown';
  /** Whether there is another workspace to go on in. */
  readonly hasOther: boolean;
}

/** What the preview of the erasure says about leaving one of the person's workspaces. */
export function leavingOf(erasure: ErasureReply, workspaceId: string): Leaving {
  const { deletedWorkspaces, leftWorkspaces, blockedWorkspaces } = erasure;
  const isIn = (list: readonly { readonly _id: string }[]) => list.some(({ _id }) => _id === workspaceId);
  const count = deletedWorkspaces.length + leftWorkspaces.length + blockedWorkspaces.length;
  return {
    standing: isIn(leftWorkspaces)
      ? 'free'
      : isIn(deletedWorkspaces)
        ? 'gone'
        : isIn(blockedWorkspaces)
          ? 'blocked'
          : 'unknown',
    hasOther: count > 1,
  };
}

function namesOf(workspaces: readonly { readonly name: string }[]): string {
  return new Intl.ListFormat('en').format(workspaces.map(({ name }) => `“${name}”`));
}

/** Why the account can not be deleted now, and what to do about it; null: it can. */
export function blockedBy({ blockedWorkspaces, isLastAdmin }: ErasureReply): string | null {
  if (blockedWorkspaces.length > 0) {
    return `You are the only owner of ${namesOf(blockedWorkspaces)}, and others belong to it. Make one of them an owner first, or delete it.`;
  }
  return isLastAdmin ? 'You are the only administrator of this instance. Make somebody else one first.' : null;
}

/** What goes with the account, line by line. */
export function erasedWith({ deletedWorkspaces, leftWorkspaces }: ErasureReply): readonly string[] {
  return [
    'Your name, email address, password and settings, your signed-in devices and your API tokens.',
    ...(deletedWorkspaces.length > 0
      ? [
          `${namesOf(deletedWorkspaces)}, which nobody else belongs to: connected stores, pairs, links, history and conflicts. The stores themselves keep everything that they hold.`,
        ]
      : []),
    ...(leftWorkspaces.length > 0 ? [`Your place in ${namesOf(leftWorkspaces)}. Others go on there without you.`] : []),
  ];
}

/** Typed by hand: however it is spaced. Capital letters count where they do for the server. */
export function isTypedRight(typed: string, wanted: string): boolean {
  return typed.trim() === wanted.trim();
}
