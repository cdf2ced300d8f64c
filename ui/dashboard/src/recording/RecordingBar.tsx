// Says that a recording is shown, and from when; plays, pauses and jumps in it.
import { Button } from '@claret/ui/kit';
import { Film, Pause, Play, Radio } from 'lucide-react';
import { useFeed, useFeedControls, type ReplayView } from '../feed/useFeed.tsx';
import { durationWords } from '../time/ticks.ts';
import { useTelemetry, useTimeAxis } from '../time/useTimeAxis.tsx';
import styles from './RecordingBar.module.css';

const MADE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const JUMP_STEP_MS = 1_000;
const TOO_MANY = 503;

export function RecordingBar() {
  const { replay, live } = useFeed();
  if (replay === null) return null;
  return (
    <section className={styles.bar} aria-label="Recording" aria-busy={replay.isCatchingUp}>
      <Film size={18} aria-hidden="true" />
      <p className={styles.words}>
        <strong>Recording: {replay.name}</strong>, made {MADE.format(replay.made_at_ms)}.{' '}
        {replay.isShipped &&
          `${live.refusal === TOO_MANY ? 'The cluster has no room for another viewer' : 'No cluster answers'}. This recording comes with Claret and plays until a cluster answers. `}
        {replay.isCutOff && 'The file is cut short; this is what could be read. '}
        {replay.malformed > 0 && `${replay.malformed} of its messages could not be read and were left out.`}
      </p>
      <Player replay={replay} />
      {!replay.isShipped && <BackToCluster isLive={live.state === 'live'} />}
    </section>
  );
}

function Player({ replay: { from_ms, to_ms, isPlaying, isAtEnd } }: { replay: ReplayView }) {
  const feed = useFeedControls();
  const axis = useTimeAxis();
  const at_ms = useTelemetry(() => feed.at_ms) ?? from_ms;
  const length = durationWords(Math.round((to_ms - from_ms) / 1_000) * 1_000);
  const done = at_ms >= to_ms ? length : durationWords(Math.floor((at_ms - from_ms) / 1_000) * 1_000);
  // The range input allows whole steps only: the last step must not end before the recording does.
  const steps = Math.ceil((to_ms - from_ms) / JUMP_STEP_MS);
  const toggle = () => {
    axis.follow();
    if (isPlaying) feed.pause();
    else feed.play();
  };
  return (
    <div className={styles.player}>
      <Button size="small" onClick={toggle}>
        {isPlaying ? <Pause size={15} aria-hidden="true" /> : <Play size={15} aria-hidden="true" />}
        {isPlaying ? 'Pause' : isAtEnd ? 'Play again' : 'Play'}
      </Button>
      <input
        type="range"
        className={styles.range}
        aria-label="Position in the recording"
        aria-valuetext={`${done} of ${length}`}
        min={from_ms}
        max={from_ms + steps * JUMP_STEP_MS}
        step={JUMP_STEP_MS}
        value={at_ms}
        onChange={(event) => {
          axis.follow();
          feed.jump(Number(event.target.value));
        }}
      />
      <span className="figures">
        {done} of {length}
      </span>
    </div>
  );
}

function BackToCluster({ isLive }: { isLive: boolean }) {
  const feed = useFeedControls();
  return (
    <Button size="small" onClick={() => feed.close()}>
      <Radio size={15} aria-hidden="true" /> {isLive ? 'Back to the cluster' : 'Close'}
    </Button>
  );
}
