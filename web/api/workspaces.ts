import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KEY } from './keys.ts';
import { call } from './request.ts';
import { storeSession } from './session.ts';
import { useSend } from './use-send.ts';

export type { WorkspaceView as Workspace } from './client.gen.ts';

export function useWorkspaces() {
  return useQuery({ queryKey: KEY.workspaces, queryFn: ({ signal }) => call('GET /api/workspaces', { signal }) });
}

/** The session goes on in the other workspace: everything that belongs to this one is forgotten with it. */
export function useSwitchWorkspace(onSwitched: () => void) {
  return useSend({
    tried: 'The workspace could not be opened.',
    mutationFn: (id: string) => call('POST /api/workspaces/{id}/switch', { params: { id } }),
    onSuccess: ({ accessToken, user }) => {
      storeSession(accessToken, user);
      // The page that asked is gone by now.
      onSwitched();
    },
  });
}

export function useCreateWorkspace() {
  const client = useQueryClient();
  return useSend({
    tried: 'The workspace could not be made.',
    mutationFn: (name: string) => call('POST /api/workspaces', { body: { name } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: KEY.workspaces }),
  });
}

export function useRenameWorkspace() {
  const client = useQueryClient();
  return useSend({
    tried: 'The workspace could not be renamed.',
    mutationFn: (name: string) => call('PATCH /api/workspace', { body: { name } }),
    onSuccess: () =>
      void Promise.all([KEY.workspaces, KEY.audit].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
