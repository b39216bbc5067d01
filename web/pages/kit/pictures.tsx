import { useState } from 'react';
import { type Choice, ConflictOptions } from '../../components/conflict-options.tsx';
import { DiffTable } from '../../components/diff-table.tsx';
import { FactStrip } from '../../components/fact-strip.tsx';
import { Heartbeat } from '../../components/heartbeat.tsx';
import { Lane } from '../../components/lane.tsx';
import { Level } from '../../components/level.tsx';
import { Logo } from '../../components/logo.tsx';
import { MirrorBars } from '../../components/mirror-bars.tsx';
import { ShelfLabel } from '../../components/shelf-label.tsx';
import { SideTile } from '../../components/side-tile.tsx';
import { TwinShelfPicture } from '../../components/twin-shelf-picture.tsx';
import { BRAND } from '../../content/brand.ts';
import { link } from '../../routes.ts';
import { Shelf } from './shelf.tsx';

const BEATS = Array.from({ length: 40 }, (_, index) => ({
  runId: `run_${index}`,
  status: index === 20 ? ('failed' as const) : ('completed' as const),
  records: 10 + ((index * 37) % 90),
  failed: index === 31 ? 2 : 0,
  at: new Date(Date.UTC(2026, 10, 21, 0, index * 10)).toISOString(),
}));
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  label: `${String(hour).padStart(2, '0')}:00`,
  toShopify: 20 + ((hour * 29) % 80),
  toWoocommerce: 10 + ((hour * 17) % 40),
}));

export function Pictures() {
  const [choice, setChoice] = useState<Choice | null>('shopify');
  return (
    <>
      <Shelf title="Marks">
        <Logo name={BRAND.name} />
        {(['sm', 'md', 'lg'] as const).map((size) => (
          <SideTile key={size} side="woocommerce" size={size} />
        ))}
        <SideTile side="shopify" size="lg" hollow />
        <Lane to="shopify" />
        <Lane to="woocommerce" />
        <Lane to={null} />
        {(['level', 'left', 'right'] as const).map((tilt) => (
          <Level key={tilt} tilt={tilt} size="lg" label={tilt} />
        ))}
      </Shelf>
      <Shelf title="Shelf label">
        {(['plain', 'changed', 'waiting', 'missing', 'created', 'conflict'] as const).map((state) => (
          <ShelfLabel key={state} title={state} stock="41" price="$18" state={state} />
        ))}
      </Shelf>
      <Shelf title="Twin shelf">
        <TwinShelfPicture story />
      </Shelf>
      <Shelf title="Charts">
        <Heartbeat bars={BEATS} href={link.history()} />
        <MirrorBars bars={HOURS} label="Changes by hour" />
        <FactStrip facts={[{ value: '1 process', label: 'one SQLite file' }]} />
      </Shelf>
      <Shelf title="Diff and conflict">
        <DiffTable
          caption="What would change"
          rows={[
            {
              key: 'stock',
              field: 'Stock',
              kind: 'mod',
              woocommerce: { value: '41', isTarget: false },
              shopify: { value: '41', old: '42', isTarget: true },
            },
          ]}
        />
        <ConflictOptions
          name="price"
          title="Price"
          note="changed on both sides"
          woocommerce="$84.00"
          agreed="$89.00"
          shopify="$79.00"
          value={choice}
          closed={null}
          onChoose={setChoice}
        />
      </Shelf>
    </>
  );
}
