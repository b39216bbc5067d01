import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Around, plainly } from './around.ts';
import type { InviteBody, WorkspaceRole } from './client.gen.ts';
import { KEY } from './keys.ts';
import { call } from './request.ts';
import { useSend } from './use-send.ts';

export type {
  InvitationView as Invitation,
  InviteBody,
  MemberView as Member,
  WorkspaceRole,
} from './client.gen.ts';

export function useMembers(isWanted = true) {
  return useQuery({
    queryKey: KEY.members,
    queryFn: ({ signal }) => call('GET /api/workspace/members', { signal }),
    enabled: isWanted,
  });
}

/** For administrators only, and not in the demo. */
export function useInvitations(isWanted: boolean) {
  return useQuery({
    queryKey: KEY.invitations,
    queryFn: ({ signal }) => call('GET /api/workspace/invitations', { signal }),
    enabled: isWanted,
  });
}

function useTeamChange<Input, Reply>(mutationFn: (input: Input) => Promise<Reply>) {
  const client = useQueryClient();
  return useSend({
    tried: 'The team could not be changed.',
    mutationFn,
    onSuccess: () =>
      void Promise.all(
        [KEY.members, KEY.invitations, KEY.audit].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

/** To an address that is invited already this sends a new link in place of the old one. */
export function useInvite() {
  return useTeamChange((body: InviteBody) => call('POST /api/workspace/invitations', { body }));
}

export function useWithdrawInvitation() {
  return useTeamChange((id: string) => call('DELETE /api/workspace/invitations/{id}', { params: { id } }));
}

export function useChangeRole(around: Around = plainly) {
  return useTeamChange(({ id, role }: { readonly id: string; readonly role: WorkspaceRole }) =>
    around(() => call('PATCH /api/workspace/members/{id}', { params: { id }, body: { role } })),
  );
}

export function useRemoveMember(around: Around = plainly) {
  return useTeamChange((id: string) => around(() => call('DELETE /api/workspace/members/{id}', { params: { id } })));
}

/** The link as it stands in the message. */
function linkIn(text: string): string | null {
  return /https?:\/\/\S+#token=\S+/.exec(text)?.[0] ?? null;
}

const MAILS_LOOKED_THROUGH = 200;

/**
 * The link of an invitation that this instance could not send, out of the outbox; null: the outbox has none. For administrators of the
 * instance, who have proved a moment ago who they are.
 */
export function useInvitationLink(around: Around = plainly) {
  return useSend({
    gcTime: 0,
    mutationFn: async (email: string): Promise<string | null> => {
      const { mails } = await call('GET /api/instance/outbox', { query: { limit: MAILS_LOOKED_THROUGH } });
      const mail = mails.find(({ kind, to }) => kind === 'invitation' && to.toLowerCase() === email.toLowerCase());
      if (mail === undefined) return null;
      const { text } = await around(() => call('GET /api/instance/outbox/{id}', { params: { id: mail._id } }));
      return linkIn(text);
    },
  });
}
