import {
  isAllowed,
  ROLE_OF_SCOPE,
  TOKEN_SCOPES,
  type TokenScope,
  WORKSPACE_ROLES,
  type WorkspaceRole,
} from '../../src/model/role.ts';

/** Whether a role may do what needs another. The server decides; pages only say beforehand what it would refuse. */
export function reaches(role: WorkspaceRole, needed: WorkspaceRole): boolean {
  return isAllowed(role, needed);
}

/** Whether somebody runs the instance. Visitors of the demo bear the role by the specification, and it opens nothing for them. */
export function runsInstance({ role, isDemo }: { readonly role: 'user' | 'admin'; readonly isDemo: boolean }): boolean {
  return role === 'admin' && !isDemo;
}

/** From the least to the most, as a form offers them. */
export const ROLES_UP: readonly WorkspaceRole[] = WORKSPACE_ROLES.toReversed();

export const ROLE_LABEL: Readonly<Record<WorkspaceRole, string>> = {
  owner: 'Owner',
  admin: 'Administrator',
  member: 'Member',
  viewer: 'Viewer',
};

/** Nobody gives what they do not have. */
export function rolesWithin(role: WorkspaceRole): readonly WorkspaceRole[] {
  return ROLES_UP.filter((one) => isAllowed(role, one));
}

/** What a token of somebody with this role can be allowed. */
export function scopesWithin(role: WorkspaceRole): readonly TokenScope[] {
  return TOKEN_SCOPES.filter((scope) => isAllowed(role, ROLE_OF_SCOPE[scope]));
}

/** What stands after "Administrators do this.": whom to ask, where somebody can be. */
export function askWhom(members: Parameters<typeof whoCanHelp>[0], needed: WorkspaceRole): string {
  const names = whoCanHelp(members, needed);
  return names === null ? '' : ` Ask ${names}.`;
}

/** The names of those who can help, as a sentence has them: "Ida Berg, Olaf Lie or Per Dahl". At most three. */
export function whoCanHelp(
  members: readonly { readonly name: string; readonly role: WorkspaceRole; readonly isYou: boolean }[],
  needed: WorkspaceRole,
): string | null {
  const names = members.filter(({ role, isYou }) => !isYou && isAllowed(role, needed)).map(({ name }) => name);
  const shown = names.slice(0, 3);
  return shown.length === 0 ? null : new Intl.ListFormat('en', { type: 'disjunction' }).format(shown);
}
