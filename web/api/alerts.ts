import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AlertsReply, ChangeAlertsBody } from '../../src/contracts/alerts.ts';
import { KEY } from './keys.ts';
import { call } from './request.ts';
import { useSend } from './use-send.ts';

export type { Alert, AlertSettings, ChangeAlertsBody } from '../../src/contracts/alerts.ts';
export type { AlertKind, AlertMode } from './client.gen.ts';

export function useAlerts() {
  return useQuery({ queryKey: KEY.alerts, queryFn: ({ signal }) => call('GET /api/alerts', { signal }) });
}

export function useChangeAlerts() {
  const client = useQueryClient();
  return useSend({
    tried: 'The alerts could not be saved.',
    mutationFn: (body: ChangeAlertsBody) => call('PATCH /api/alerts', { body }),
    onSuccess: ({ settings }) => {
      client.setQueryData<AlertsReply>(KEY.alerts, (known) => known && { ...known, settings });
      void client.invalidateQueries({ queryKey: KEY.audit });
    },
  });
}
