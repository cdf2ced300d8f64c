// What starts a load and stops the one that runs, and how far that is: for the story and for *Explore*.
import { Button } from '@claret/ui/kit';
import { Play, Square } from 'lucide-react';
import type { SpikeRun } from './spikes.ts';

export interface StartStopProps {
  /** null: none runs */
  running: SpikeRun | null;
  className: string | undefined;
  isBusy: boolean;
  /** whether a load can be started */
  canStart: boolean;
  keys?: string | undefined;
  start(): void;
  stop(): void;
}

export function StartStop({ running, className, isBusy, canStart, keys, start, stop }: StartStopProps) {
  const Icon = running ? Square : Play;
  return (
    <Button
      look={running ? 'plain' : 'primary'}
      className={className}
      isBusy={isBusy}
      disabled={running === null && !canStart}
      aria-keyshortcuts={keys}
      onClick={running ? stop : start}
    >
      <Icon size={16} aria-hidden="true" /> {running ? 'Stop' : 'Start'}
    </Button>
  );
}

export function SpikeProgress({ running: { line, seconds }, className }: { running: SpikeRun; className: string | undefined }) {
  const isOn = line?.state === 'running';
  return <progress className={className} aria-label="Progress of the load" {...(isOn ? { max: seconds, value: line.done_s ?? 0 } : {})} />;
}

/** "12 of 48 s", or what is done before and after the load. */
export function progressWords({ line, seconds }: SpikeRun): string {
  if (line?.state === 'running') return `${Math.min(seconds, Math.floor(line.done_s ?? 0))} of ${seconds} s`;
  return line?.state === 'checking' ? 'checking what is stored…' : 'getting ready…';
}
