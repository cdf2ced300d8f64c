// Moves slots to the last shard, if it has none yet: from then on there are transactions over shards. Both shards serve meanwhile.
import { Button } from '@claret/ui/kit';
import { Split } from 'lucide-react';
import { useTelemetry } from '../time/useTimeAxis.tsx';
import { emptyShard } from './emptyShard.ts';
import { useLaboratory } from './useLaboratory.tsx';

/** Nothing where each shard has slots. */
export function SpreadButton() {
  const { spikes, closed, isBusy, spread } = useLaboratory();
  const { slots, silent } = useTelemetry((store) => ({ slots: store.slots.newest, silent: store.silent.length }));
  const empty = slots === null ? null : emptyShard(slots);
  if (spikes === null || closed !== null || empty === null) return null;
  return (
    <Button
      size="small"
      disabled={isBusy || silent > 0 || empty.isMoving}
      title={`Moves half of the slots of shard ${empty.from} to shard ${empty.to}, while both serve`}
      onClick={() => void spread(empty)}
    >
      <Split size={15} aria-hidden="true" /> {empty.isMoving ? `Slots move to shard ${empty.to}` : `Use shard ${empty.to} too`}
    </Button>
  );
}
