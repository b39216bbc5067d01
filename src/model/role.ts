/** What a person may do in a workspace, from the most to the least. */
export const WORKSPACE_ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

const RANK: Readonly<Record<WorkspaceRole, number>> = { owner: 3, admin: 2, member: 1, viewer: 0 };

/** Whether `role` may do what needs `needed`. */
export function isAllowed(role: WorkspaceRole, needed: WorkspaceRole): boolean {
  return RANK[role] >= RANK[needed];
}

/** The lesser of two roles. */
export function lesserRole(a: WorkspaceRole, b: WorkspaceRole): WorkspaceRole {
  return RANK[a] <= RANK[b] ? a : b;
}

/** What an API token may do at most: look, also run syncs and settle conflicts, also connect stores and change pairs. */
export const TOKEN_SCOPES = ['read', 'operate', 'manage'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

export const ROLE_OF_SCOPE: Readonly<Record<TokenScope, WorkspaceRole>> = {
  read: 'viewer',
  operate: 'member',
  manage: 'admin',
};
