import { Plus, Webhook } from 'lucide-react';
import { useId, useState } from 'react';
import type { User } from '../../../api/account.ts';
import { useEndpoints } from '../../../api/endpoints.ts';
import { useWhyNot } from '../../../api/use-why-not.ts';
import { Button } from '../../../components/button.tsx';
import { Card, CardHead } from '../../../components/card.tsx';
import { EmptyShelf } from '../../../components/empty-shelf.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { may } from '../../../hooks/rights.ts';
import { useQueryState } from '../../../hooks/use-query-state.ts';
import css from './api-panel.module.css';
import { EndpointFormSheet } from './endpoint-form-sheet.tsx';
import { EndpointRow } from './endpoint-row.tsx';
import { EndpointSheet } from './endpoint-sheet.tsx';

const NOT_IN_DEMO = 'The demo calls no addresses outside. Sign up to be told at your own.';

/** Where the workspace tells programs and chats of what happens. For administrators: an address can be a secret. */
export function EndpointsCard({ user }: { readonly user: User }) {
  const id = useId();
  const [params, change] = useQueryState();
  const isAdmin = may(user.workspace.role, 'webhooks');
  const endpoints = useEndpoints(isAdmin);
  const whyNoWebhooks = useWhyNot('webhooks');
  const [isAdding, setAdding] = useState(false);
  const why = whyNoWebhooks ?? (user.isDemo ? NOT_IN_DEMO : null);
  const open = endpoints.data?.endpoints.find(({ _id }) => _id === params.get('endpoint')) ?? null;
  return (
    <Card labelledBy={id}>
      <CardHead
        id={id}
        level={3}
        title="Outgoing webhooks"
        actions={
          <ReasonedButton size="sm" icon={<Plus aria-hidden="true" />} reason={why} onClick={() => setAdding(true)}>
            Add an endpoint
          </ReasonedButton>
        }
      />
      <p className={css.lead}>
        Your address is called with what happens, signed as{' '}
        <a href="https://www.standardwebhooks.com">Standard Webhooks</a> has it. What is not taken is sent again for
        three days. Chats get the alerts below, as a line of text.
      </p>
      {isAdmin ? (
        <QueryView
          query={endpoints}
          loading={<Skeleton type="list" count={2} />}
          failed="The endpoints could not be read."
        >
          {({ endpoints: list }) =>
            list.length === 0 ? (
              <EmptyShelf
                level={3}
                title={user.isDemo ? 'No webhooks in the demo' : 'Nobody is called yet'}
                actions={
                  why === null && (
                    <Button icon={<Webhook aria-hidden="true" />} onClick={() => setAdding(true)}>
                      Add the first endpoint
                    </Button>
                  )
                }
              >
                {user.isDemo
                  ? 'With an account of your own, programs and chats are told at their addresses.'
                  : 'A program is told of every change, a chat of what needs somebody.'}
              </EmptyShelf>
            ) : (
              <ul aria-label="Webhook endpoints">
                {list.map((endpoint) => (
                  <EndpointRow
                    key={endpoint._id}
                    endpoint={endpoint}
                    isDemo={user.isDemo}
                    onOpen={() => change({ endpoint: endpoint._id })}
                  />
                ))}
              </ul>
            )
          }
        </QueryView>
      ) : (
        <EmptyShelf level={3} title="For administrators">
          {why}
        </EmptyShelf>
      )}
      <EndpointFormSheet
        open={isAdding}
        endpoint={null}
        events={endpoints.data?.events ?? []}
        onClose={() => setAdding(false)}
      />
      <EndpointSheet
        endpoint={open}
        events={endpoints.data?.events ?? []}
        isDemo={user.isDemo}
        onClose={() => change({ endpoint: null, deliveries: null })}
      />
    </Card>
  );
}
