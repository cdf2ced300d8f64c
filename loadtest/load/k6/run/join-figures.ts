// What visitors met while a shard joined: the storm before it, while its process started, while slots moved, and after that.

import { quantile } from '../../../kit/statistics.ts';
import type { LedgerLine, ScenarioNeeds } from '../storm.ts';
import type { Joining, SlotMove } from './join.ts';

export const STAGES = ['before', 'starting', 'moving', 'after'] as const;
export type Stage = (typeof STAGES)[number];

/** Figures of the requests that were sent in one stage. Latencies count the scenario's accepted work alone. */
export interface StageFigures {
  seconds: number;
  accepted: number;
  /** null: nothing was accepted */
  p50_ms: number | null;
  p99_ms: number | null;
  longest_ms: number | null;
  /** between one answer and the next, of any request; it began in this stage. Null: there was none */
  longest_gap_ms: number | null;
  /** without registrations: a site without processor time to hash a password sends people away, whatever its cluster does */
  shed: number;
  unknown: number;
  failed: number;
}

export interface JoinFigures {
  moves: SlotMove[];
  /** over the moves: for how long nobody could use the run */
  held_p50_ms: number;
  held_p99_ms: number;
  held_longest_ms: number;
  stages: Record<Stage, StageFigures>;
  /** seconds from the end of the last move to the end of the storm; negative: the moves went on after it */
  left_s: number;
}

export class JoinTally {
  readonly #kinds: ScenarioNeeds['accepted'];
  readonly #lines: { kind: string; at_ms: number; answered_ms: number; outcome: string }[] = [];

  /** `kinds`: of the lines that are the scenario's work */
  constructor(kinds: ScenarioNeeds['accepted']) {
    this.#kinds = kinds;
  }

  add([kind, at_ms, ms, outcome]: LedgerLine): void {
    this.#lines.push({ kind, at_ms, answered_ms: at_ms + ms, outcome });
  }

  /** `begins_ms`, `ends_ms`: of the storm */
  figures({ joins_ms, moves_ms, done_ms, moves }: Joining, begins_ms: number, ends_ms: number): JoinFigures {
    const bounds: Record<Stage, [number, number]> = {
      before: [begins_ms, joins_ms],
      starting: [joins_ms, moves_ms],
      moving: [moves_ms, done_ms],
      after: [done_ms, Math.max(done_ms, ends_ms)],
    };
    const answers = this.#lines
      .filter(({ outcome }) => outcome !== 'unknown')
      .map(({ answered_ms }) => answered_ms)
      .sort((a, b) => a - b);
    const held = moves.map(({ held_ms }) => held_ms);
    return {
      moves,
      held_p50_ms: tenths(quantile(held, 0.5)),
      held_p99_ms: tenths(quantile(held, 0.99)),
      held_longest_ms: tenths(Math.max(...held)),
      stages: Object.fromEntries(STAGES.map((stage) => [stage, this.#stage(bounds[stage], answers)])) as JoinFigures['stages'],
      left_s: tenths((ends_ms - done_ms) / 1_000),
    };
  }

  /** `answers`: the moments of all answers, in order */
  #stage([from_ms, to_ms]: [number, number], answers: readonly number[]): StageFigures {
    const isWithin = (at_ms: number) => at_ms >= from_ms && at_ms < to_ms;
    const sent = this.#lines.filter(({ at_ms }) => isWithin(at_ms));
    const latencies = sent
      .filter(({ kind, outcome }) => outcome === 'accepted' && (this.#kinds as readonly string[]).includes(kind))
      .map(({ at_ms, answered_ms }) => answered_ms - at_ms);
    const at = (q: number) => (latencies.length === 0 ? null : tenths(quantile(latencies, q)));
    const gaps = answers.slice(1).flatMap((next, i) => (isWithin(answers[i]!) ? [next - answers[i]!] : []));
    const count = (outcome: string) => sent.filter((line) => line.outcome === outcome && !isHashing(line)).length;
    return {
      seconds: tenths((to_ms - from_ms) / 1_000),
      accepted: latencies.length,
      p50_ms: at(0.5),
      p99_ms: at(0.99),
      longest_ms: at(1),
      longest_gap_ms: gaps.length === 0 ? null : tenths(gaps.reduce((most, gap) => Math.max(most, gap), 0)),
      shed: count('shed'),
      unknown: count('unknown'),
      failed: count('failed'),
    };
  }
}

const isHashing = ({ kind, outcome }: { kind: string; outcome: string }) => kind === 'register' && outcome === 'shed';

const tenths = (value: number) => Math.round(value * 10) / 10;
