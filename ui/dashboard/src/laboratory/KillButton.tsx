// Kills the process of a shard, so that everybody sees what waits, what goes on, and that nothing acknowledged is lost.
import { Button } from '@claret/ui/kit';
import { Unplug } from 'lucide-react';
import { useTelemetry } from '../time/useTimeAxis.tsx';
import { emptyShard } from './emptyShard.ts';
import { useLaboratory } from './useLaboratory.tsx';

/** Nothing where no launcher starts the process again, or nobody would miss it: the last shard has no slots. */
export function KillButton() {
  const { spikes, closed, isBusy, kill } = useLaboratory();
  const { shards, silent, slots } = useTelemetry((store) => ({
    shards: store.shards,
    silent: store.silent.length,
    slots: store.slots.newest,
  }));
  if (spikes?.kills !== true || closed !== null || shards === 0 || (slots !== null && emptyShard(slots) !== null)) return null;
  // The first shard's process also serves this page and runs the load.
  const victim = shards - 1;
  return (
    <Button
      size="small"
      disabled={isBusy || silent > 0}
      title="Its process gets SIGKILL, and is started again"
      onClick={() => void kill(victim)}
    >
      <Unplug size={15} aria-hidden="true" /> {silent > 0 ? 'A shard is down' : `Kill shard ${victim}`}
    </Button>
  );
}
