import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Around, plainly } from './around.ts';
import type { ApiTokenBody } from './client.gen.ts';
import { KEY } from './keys.ts';
import { call } from './request.ts';
import { useSend } from './use-send.ts';

export type { ApiTokenBody, ApiTokenView as ApiToken, TokenScope } from './client.gen.ts';

/** Administrators are given all of the workspace, others their own. Not asked for in the demo, which has none. */
export function useApiTokens(isWanted: boolean) {
  return useQuery({
    queryKey: KEY.apiTokens,
    queryFn: ({ signal }) => call('GET /api/workspace/tokens', { signal }),
    enabled: isWanted,
  });
}

/** What a change of tokens is seen in. */
function useTokensMoved(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all([KEY.apiTokens, KEY.audit].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** The reply carries the secret, this once: whoever has shown it forgets the mutation (`reset`). */
export function useCreateApiToken(around: Around = plainly) {
  const moved = useTokensMoved();
  return useSend({
    gcTime: 0,
    mutationFn: (body: ApiTokenBody) => around(() => call('POST /api/workspace/tokens', { body })),
    onSuccess: () => void moved(),
  });
}

/** The same, for a token that the caller made. */
export function useRegenerateApiToken(around: Around = plainly) {
  const moved = useTokensMoved();
  return useSend({
    gcTime: 0,
    mutationFn: (id: string) => around(() => call('POST /api/workspace/tokens/{id}/regenerate', { params: { id } })),
    onSuccess: () => void moved(),
  });
}

export function useRevokeApiToken() {
  const moved = useTokensMoved();
  return useSend({
    tried: 'The token could not be revoked.',
    mutationFn: (id: string) => call('DELETE /api/workspace/tokens/{id}', { params: { id } }),
    onSuccess: () => void moved(),
  });
}
