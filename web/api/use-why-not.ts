import { type RightName, whyNot } from '../hooks/rights.ts';
import { useMe } from './account.ts';
import { useMembers } from './team.ts';

/** Why the person may not do something in this workspace, and who can help; null: they may, as far as is known. */
export function useWhyNot(right: RightName): string | null {
  const { data: user } = useMe();
  const role = user?.workspace.role;
  const isRefused = role !== undefined && whyNot(role, right, []) !== null;
  // Whom to ask is read only for who has to ask.
  const { data: team } = useMembers(isRefused);
  return isRefused ? whyNot(role, right, team?.members ?? []) : null;
}
