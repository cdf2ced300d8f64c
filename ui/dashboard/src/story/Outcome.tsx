// What becomes of the load: how much was acknowledged and how much is stored, as its driver counts it, what can be done to the cluster meanwhile, and
// the page that shows it.
import { KillButton } from '../laboratory/KillButton.tsx';
import { SpreadButton } from '../laboratory/SpreadButton.tsx';
import { SpikeTarget } from '../laboratory/SpikeTarget.tsx';
import { SpikeVerdict } from '../laboratory/SpikeVerdict.tsx';
import { useLaboratory } from '../laboratory/useLaboratory.tsx';
import styles from './Outcome.module.css';
import type { Story } from './stories.ts';

export function Outcome({ story }: { story: Story }) {
  const { spikes } = useLaboratory();
  const run = spikes?.running ?? spikes?.last ?? null;
  const isOwn = run !== null && run.spike === story.spike.spike;
  const place = isOwn ? run.line?.place : null;
  return (
    <div className={styles.outcome}>
      {isOwn && <SpikeVerdict run={run} />}
      {spikes?.running && <KillButton />}
      {spikes?.running && <SpreadButton />}
      {spikes?.running && place && <SpikeTarget place={place} site={spikes?.sites?.[place.site]} words="Watch it live" />}
    </div>
  );
}
