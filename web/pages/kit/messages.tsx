import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Count } from '../../components/count.tsx';
import { EmptyShelf } from '../../components/empty-shelf.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Meter } from '../../components/meter.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { Tag } from '../../components/tag.tsx';
import { showToast } from '../../components/toast.tsx';
import { Shelf } from './shelf.tsx';

export function Messages() {
  return (
    <>
      <Shelf title="Banner">
        {(['info', 'ok', 'warn', 'bad'] as const).map((tone) => (
          <Banner key={tone} tone={tone}>
            Say the store and the field: Shopify rejected it, SKU is empty.
          </Banner>
        ))}
      </Shelf>
      <Shelf title="Toast">
        {(['success', 'warning', 'error'] as const).map((tone) => (
          <Button key={tone} onClick={() => showToast(tone, `A notice of the kind ${tone}`)}>
            {tone}
          </Button>
        ))}
      </Shelf>
      <Shelf title="Status, tag, count, meter">
        {(['ok', 'running', 'quiet', 'warn', 'bad'] as const).map((tone) => (
          <Status key={tone} tone={tone}>
            {tone}
          </Status>
        ))}
        {(['plain', 'warn', 'gold'] as const).map((tone) => (
          <Tag key={tone} tone={tone}>
            {tone}
          </Tag>
        ))}
        <Count label="5 conflicts to resolve">{5}</Count>
        <Meter label="Going on" value={null} />
        <Meter label="64 percent" value={0.64} />
      </Shelf>
      <Shelf title="Skeleton">
        {(['card', 'text', 'list', 'stats', 'table'] as const).map((type) => (
          <Skeleton key={type} type={type} />
        ))}
      </Shelf>
      <Shelf title="Empty, failed">
        <EmptyShelf title="Nothing on the shelf" actions={<Button look="primary">Connect New Store</Button>}>
          Connect a store, and its records stand here.
        </EmptyShelf>
        <ErrorPanel
          title="Failed to load dashboard data. Please refresh the page."
          requestId="req_1"
          retryLabel="Try Again"
          onRetry={() => undefined}
        >
          Syncing goes on.
        </ErrorPanel>
      </Shelf>
    </>
  );
}
