import { useMemo } from 'react';
import { useApiTokens } from '../../../api/api-tokens.ts';
import { useEndpoints } from '../../../api/endpoints.ts';
import { usePairs } from '../../../api/pairs.ts';
import { useStores } from '../../../api/stores.ts';
import { useMembers } from '../../../api/team.ts';
import type { Names } from './audit-words.ts';

/** What is there now, by its id. What has gone since keeps its id. */
export function useNames(isWanted: boolean): Names {
  const { data: team } = useMembers();
  const { data: tokens } = useApiTokens(isWanted);
  const { data: hooks } = useEndpoints(isWanted);
  const { data: stores } = useStores();
  const { data: pairs } = usePairs();
  return useMemo(
    () =>
      new Map<string, string>([
        ...(team?.members ?? []).map(({ userId, name }) => [userId, name] as const),
        ...(tokens?.tokens ?? []).map(({ _id, name }) => [_id, name] as const),
        ...(hooks?.endpoints ?? []).map(({ _id, description, url }) => [_id, description || url] as const),
        ...(stores?.stores ?? []).map(({ _id, name }) => [_id, name] as const),
        ...(pairs?.pairs ?? []).map(
          ({ _id, woocommerce, shopify }) => [_id, `${woocommerce.name} and ${shopify.name}`] as const,
        ),
      ]),
    [team, tokens, hooks, stores, pairs],
  );
}
