// Start a spike, see how far it is, stop it; and whether all that it was promised was kept.
import { Button, classes, Pill } from '@claret/ui/kit';
import { CircleCheck, CircleX, Settings2, Square, Zap } from 'lucide-react';
import { useState } from 'react';
import { useTimeAxis } from '../time/useTimeAxis.tsx';
import styles from './Laboratory.module.css';
import { SpikeDialog } from './SpikeDialog.tsx';
import { spikeName, spikeWords } from './spikeNames.ts';
import type { SpikeRun, SpikeWish } from './spikes.ts';
import { useLaboratory } from './useLaboratory.tsx';

export const USUAL: SpikeWish = { spike: 'bid-storm', seconds: 60, clients: 128, alpha: 1, update: 0.5 };

export function SpikeControl() {
  const { spikes, noSpikes, closed, isBusy, start, stop } = useLaboratory();
  const why = closed ?? noSpikes;
  const axis = useTimeAxis();
  const [wish, setWish] = useState<SpikeWish>(USUAL);
  const [isOpen, setIsOpen] = useState(false);
  const running = spikes?.running ?? null;
  const names = spikes?.spikes ?? [];
  const isShut = closed !== null || names.length === 0;
  const begin = () => {
    axis.follow();
    void start(wishFor(wish));
  };
  return (
    <div className={styles.group}>
      <div className={styles.head}>
        <span className={styles.label}>{running ? 'A crowd is there' : 'A crowd comes'}</span>
        {!running && spikes?.last && <Verdict run={spikes.last} />}
      </div>
      <div className={styles.row}>
        {running ? (
          <>
            <Running run={running} />
            <Button size="small" className={styles.tool} isBusy={isBusy} onClick={() => void stop()}>
              <Square size={13} aria-hidden="true" /> Stop it
            </Button>
          </>
        ) : (
          <>
            <select
              className={styles.select}
              aria-label="Which spike"
              title={spikeWords(wish.spike).about}
              value={wish.spike}
              disabled={isShut}
              onChange={(event) => setWish({ ...wish, spike: event.target.value })}
            >
              {(names.length > 0 ? names : [wish.spike]).map((name) => (
                <option key={name} value={name}>
                  {spikeName(name)}
                </option>
              ))}
            </select>
            <Button size="small" className={styles.tool} aria-label="How long and how many" disabled={isShut} onClick={() => setIsOpen(true)}>
              <Settings2 size={15} aria-hidden="true" />
            </Button>
            <Button look="primary" size="small" className={styles.start} isBusy={isBusy} disabled={isShut} onClick={begin}>
              <Zap size={15} aria-hidden="true" /> Start a spike
            </Button>
          </>
        )}
      </div>
      <p className={classes(styles.about, why !== null && styles.why)}>
        {why ?? (running ? crowdWords(running) : `${spikeWords(wish.spike).about} ${wish.clients} clients, ${wish.seconds} s.`)}
      </p>
      <SpikeDialog isOpen={isOpen} onOpenChange={setIsOpen} wish={wish} onChange={setWish} />
    </div>
  );
}

/** What only rawmix understands is not sent with the others. */
export function wishFor({ alpha, update, ...wish }: SpikeWish): SpikeWish {
  return wish.spike === 'rawmix' ? { ...wish, alpha, update } : wish;
}

function crowdWords({ clients, line }: SpikeRun): string {
  return line?.place ? `${clients} clients, on “${line.place.title}”` : `${clients} clients`;
}

function Running({ run: { spike, seconds, line } }: { run: SpikeRun }) {
  const done_s = Math.min(line?.done_s ?? 0, seconds);
  const isOn = line?.state === 'running';
  return (
    <span className={styles.running}>
      <b>{spikeName(spike)}</b>
      <progress className={styles.progress} {...(isOn ? { max: seconds, value: done_s } : {})} aria-label="How far it is" />
      {isOn ? (
        <span className="figures">
          {Math.round(done_s)}/{seconds} s
        </span>
      ) : (
        <span className={styles.soft}>prepares</span>
      )}
    </span>
  );
}

/** In the end what is stored is held against what was acknowledged. */
function Verdict({ run: { spike, line } }: { run: SpikeRun }) {
  if (line === null) return null;
  const wrong = line.mismatches ?? [];
  if (line.state === 'failed' || wrong.length > 0) {
    return (
      <span title={[line.message, ...wrong].filter(Boolean).join('\n')}>
        <Pill tone="bad" icon={<CircleX size={14} aria-hidden="true" />}>
          {wrong.length > 0 ? `${spikeName(spike)}: results were wrong` : `${spikeName(spike)} failed`}
        </Pill>
      </span>
    );
  }
  if (line.state !== 'ended') return null;
  return (
    <span title="What is stored at the end is just what was acknowledged to its clients.">
      <Pill tone="good" icon={<CircleCheck size={14} aria-hidden="true" />}>
        nothing lost
      </Pill>
    </span>
  );
}
