import { useMe } from '../../api/account.ts';
import { useMembers } from '../../api/team.ts';
import { askWhom, reaches } from '../../hooks/roles.ts';

/** Why somebody may not change stores and pairs, and who can help; null: they may. */
export function useAdminReason(): string | null {
  const { data: user } = useMe();
  const isAdmin = user === undefined || reaches(user.workspace.role, 'admin');
  const { data: team } = useMembers(!isAdmin);
  if (isAdmin) return null;
  return `Administrators look after stores and pairs.${askWhom(team?.members ?? [], 'admin')}`;
}
