// The driver process of the benchmark `site`: all visitors, of all contenders in turn.

import type { Agent } from 'node:http';
import { ownCpuUs } from '../../kit/cpu.ts';
import { answerParent } from '../../kit/driver-process.ts';
import { streams } from '../../kit/random.ts';
import { quantile } from '../../kit/statistics.ts';
import { arrivalsMs, runOpen } from './arrivals.ts';
import { AuctionStage } from './auctions.ts';
import { agentOf } from './http.ts';
import type { Answer, Kind, Quantiles, Question, SpanFigures, SpanQuestion, StageQuestion } from './question.ts';
import type { Stage } from './stage.ts';
import { TimelineStage } from './timelines.ts';
import { Counts, Visitors } from './visitors.ts';

/** A span with more actions under way than come in this time has too high a rate. */
const BEHIND_S = 1;
const BEHIND_LEAST = 64;

interface Known {
  stage: Stage;
  agent: Agent;
  seed: number;
  round: number;
}

const stages = new Map<string, Known>();

async function beginRound({ id, mix, urls, seed, round }: StageQuestion): Promise<Answer> {
  let known = stages.get(id);
  if (known === undefined) {
    const agent = agentOf();
    const visitors = new Visitors(urls, streams(seed, 'visitors')(0), agent);
    const stage = mix === 'post-heavy' ? await TimelineStage.open(visitors) : await AuctionStage.open(visitors);
    stages.set(id, (known = { stage, agent, seed, round }));
  }
  known.round = round;
  await known.stage.begin(mix);
  return {};
}

async function span({ id, rate, seconds, number, readsCosts }: SpanQuestion): Promise<Answer> {
  const { stage, seed, round } = stages.get(id)!;
  const { readers } = stage;
  // The same for all contenders.
  const random = streams(seed, `round ${round}`)(number);
  const counts = new Counts(readsCosts);
  stage.countIn(counts);
  const tookMs: Record<Kind, number[]> = { change: [], page: [] };
  const times = arrivalsMs(random, rate, seconds);
  const beforeUs = ownCpuUs();
  const underWayMax = Math.max(BEHIND_LEAST, BEHIND_S * rate);
  const begin = (dueMs: number) => {
    const { kind, run } = stage.draw(random);
    return run(() => tookMs[kind].push(performance.now() - dueMs));
  };
  const { lateMs, abandoned } = await runOpen(times, begin, underWayMax);
  const { lagsMs, unseen, events } = (await readers?.take()) ?? { lagsMs: [], unseen: 0, events: 0 };
  const { requests, outcomes, changes, costs } = counts;
  const figures: SpanFigures = {
    drawn: times.length,
    abandoned,
    requests,
    outcomes,
    changes,
    all: quantilesOf([...tookMs.change, ...tookMs.page]),
    kinds: { change: quantilesOf(tookMs.change), page: quantilesOf(tookMs.page) },
    lag: quantilesOf(lagsMs),
    unseen,
    events,
    late_p99_ms: quantilesOf(lateMs).p99_ms,
    driver_us: ownCpuUs() - beforeUs,
    costs,
  };
  return { span: figures };
}

function quantilesOf(values: readonly number[]): Quantiles {
  if (values.length === 0) return { count: 0, p50_ms: 0, p99_ms: 0 };
  return { count: values.length, p50_ms: quantile(values, 0.5), p99_ms: quantile(values, 0.99) };
}

async function endRound(id: string): Promise<Answer> {
  const { stage, agent } = stages.get(id)!;
  const verdicts = await stage.end();
  agent.destroy();
  return { verdicts };
}

answerParent<Question, Answer>((question) => {
  if (question.ask === 'begin') return beginRound(question);
  return question.ask === 'span' ? span(question) : endRound(question.id);
});
