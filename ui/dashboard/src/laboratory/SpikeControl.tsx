// Starts a load spike, shows its progress, stops it, and reports whether every acknowledged write was kept.
import { Button, classes, Pill } from '@claret/ui/kit';
import { CircleCheck, CircleX, Settings2, Square, Zap } from 'lucide-react';
import { useState } from 'react';
import { useTelemetry, useTimeAxis } from '../time/useTimeAxis.tsx';
import { areSame, READER_WRITER, shortConditionWords } from './conditions.ts';
import styles from './Laboratory.module.css';
import { SpikeDialog } from './SpikeDialog.tsx';
import { spikeName, spikeWords } from './spikeNames.ts';
import type { SpikeLine, SpikeRun, Spikes, SpikeWish } from './spikes.ts';
import { useLaboratory } from './useLaboratory.tsx';

export const USUAL: SpikeWish = { spike: 'bid-spike', seconds: 60, clients: 128, alpha: 1, update: 0.5 };

export function SpikeControl() {
  const { spikes, noSpikes, closed } = useLaboratory();
  const why = closed ?? noSpikes;
  const running = spikes?.running ?? null;
  const [wish, setWish] = useState<SpikeWish>(USUAL);
  return (
    <div className={styles.group}>
      <div className={styles.head}>
        <span className={styles.label}>{running ? 'Load spike running' : 'Load spike'}</span>
        {!running && spikes?.last && <Verdict run={spikes.last} />}
      </div>
      {why !== null ? (
        <p className={classes(styles.about, styles.why)}>{why}</p>
      ) : running !== null ? (
        <Running run={running} sites={spikes?.sites ?? {}} />
      ) : (
        <Start spikes={spikes} wish={wish} setWish={setWish} />
      )}
    </div>
  );
}

interface StartProps {
  spikes: Spikes | null;
  wish: SpikeWish;
  setWish(wish: SpikeWish): void;
}

function Start({ spikes, wish, setWish }: StartProps) {
  const { isBusy, start } = useLaboratory();
  const axis = useTimeAxis();
  const conditions = useTelemetry((store) => store.conditions);
  const normal = useTelemetry((store) => store.normalConditions);
  const [isOpen, setIsOpen] = useState(false);
  const [showsProblem, setShowsProblem] = useState(true);
  const names = spikes?.spikes ?? [];
  const isShut = names.length === 0;
  // The first spike shows the problem without Claret's ideas; a user who has already switched conditions wants something else.
  const isFirst = spikes !== null && spikes.last === null && conditions !== null && normal !== null;
  const offersProblem = isFirst && areSame(conditions, normal) && !areSame(normal, READER_WRITER);
  const begin = () => {
    axis.follow();
    void start({ ...wishFor(wish), ...(offersProblem && showsProblem && { conditions: READER_WRITER }) });
  };
  return (
    <>
      <div className={styles.row}>
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
        <Button size="small" className={styles.tool} aria-label="Duration and clients" disabled={isShut} onClick={() => setIsOpen(true)}>
          <Settings2 size={15} aria-hidden="true" />
        </Button>
        <Button look="primary" size="small" className={styles.start} isBusy={isBusy} disabled={isShut} onClick={begin}>
          <Zap size={15} aria-hidden="true" /> Start a spike
        </Button>
      </div>
      {offersProblem && (
        <label className={styles.first}>
          <input type="checkbox" checked={showsProblem} onChange={(event) => setShowsProblem(event.target.checked)} />
          Start with reader/writer locks, to see the problem first
        </label>
      )}
      <p className={styles.about}>{`${spikeWords(wish.spike).about} ${wish.clients} clients, ${wish.seconds} s.`}</p>
      <SpikeDialog isOpen={isOpen} onOpenChange={setIsOpen} wish={wish} onChange={setWish} />
    </>
  );
}

/** Parameters that only rawmix understands are not sent with other spikes. */
export function wishFor({ alpha, update, ...wish }: SpikeWish): SpikeWish {
  return wish.spike === 'rawmix' ? { ...wish, alpha, update } : wish;
}

function Running({ run, sites }: { run: SpikeRun; sites: Record<string, string> }) {
  const { spike, seconds, clients, conditions, line } = run;
  const { isBusy, stop } = useLaboratory();
  const done_s = Math.min(line?.done_s ?? 0, seconds);
  const isOn = line?.state === 'running';
  const now = useTelemetry((store) => store.conditions);
  // After somebody has switched conditions, the cluster keeps the new ones.
  const borrowed = conditions && now !== null && areSame(conditions, now) ? `. ${shortConditionWords(conditions)} until it ends` : '';
  return (
    <>
      <div className={styles.row}>
        <span className={styles.running}>
          <b>{spikeName(spike)}</b>
          <progress className={styles.progress} {...(isOn ? { max: seconds, value: done_s } : {})} aria-label="Progress" />
          {isOn ? (
            <span className="figures">
              {Math.round(done_s)}/{seconds} s
            </span>
          ) : (
            <span className={styles.soft}>{line?.state === 'checking' ? 'checking the results…' : 'preparing…'}</span>
          )}
        </span>
        <Button size="small" className={styles.tool} isBusy={isBusy} onClick={() => void stop()}>
          <Square size={13} aria-hidden="true" /> Stop
        </Button>
      </div>
      <p className={styles.about}>
        {clients} clients
        {line?.place && (
          <>
            {' on '}
            <SpikeTarget place={line.place} site={sites[line.place.site]} />
          </>
        )}
        {borrowed}.
      </p>
    </>
  );
}

/** The object of the spike, linked to its site if the gateway knows the site's address. */
function SpikeTarget({ place: { path, title }, site }: { place: NonNullable<SpikeLine['place']>; site: string | undefined }) {
  if (site === undefined || !path.startsWith('/')) return <>“{title}”</>;
  return (
    <a href={site + path} target="_blank" rel="noreferrer">
      “{title}”
    </a>
  );
}

/** The result of the final check, which compares the stored data with the acknowledged writes. */
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
    <span title="What is stored at the end is exactly what was acknowledged to its clients.">
      <Pill tone="good" icon={<CircleCheck size={14} aria-hidden="true" />}>
        verified: nothing lost
      </Pill>
    </span>
  );
}
