// The laboratory's one state for the whole page: whether it is available, what runs, and the possible actions. The switches and the
// stories both act through it.
import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Conditions } from '@claret/client/telemetry';
import { ask, Refusal } from '../api/gateway.ts';
import { keepToken, keptToken } from '../api/token.ts';
import { useFeed, type FeedView } from '../feed/useFeed.tsx';
import { useTelemetry } from '../time/useTimeAxis.tsx';
import { killShard, moveSlots, readSpikes, startSpike, stopSpike, switchSpike } from './spikes.ts';
import type { SlotsWish, Spikes, SpikeWish } from './spikes.ts';

export interface Laboratory {
  /** It is known what can be done here, and what runs: before that, a press might do something else than it says. */
  isKnown: boolean;
  /** null: available; otherwise why nothing can be done here, in a sentence */
  closed: string | null;
  /** null until the gateway has answered, and if it runs no spikes */
  spikes: Spikes | null;
  /** why spikes cannot be run here, although the switches work; null if they can */
  noSpikes: string | null;
  /** whether the cluster requires a token that this page does not have; wrong: the token typed last was refused */
  token: 'not needed' | 'needed' | 'wrong';
  /** the last requested action is in progress */
  isBusy: boolean;
  /** why the last requested action failed */
  problem: string | null;
  /** These never reject; they resolve to whether the action succeeded. */
  switchTo(conditions: Conditions): Promise<boolean>;
  /** until the running spike ends */
  switchSpike(conditions: Conditions): Promise<boolean>;
  start(wish: SpikeWish): Promise<boolean>;
  stop(): Promise<boolean>;
  /** the process that serves the shard; the launcher starts it again */
  kill(shard: number): Promise<boolean>;
  /** begins to move the slots */
  spread(move: SlotsWish): Promise<boolean>;
  /** tries a token */
  unlock(token: string): void;
}

const RUNNING_POLL_MS = 1_000;
const IDLE_POLL_MS = 10_000;
/** Why nothing can be pressed while `isKnown` is false. */
export const NOT_KNOWN_YET = 'This page does not know yet what runs on the cluster.';
const LOCKED = 'This cluster asks for its token before anything is changed.';
const NO_SPIKES = 'This gateway runs no load spikes: it was started without --spike-driver.';

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const LaboratoryContext = createContext<Laboratory | null>(null);

export function useLaboratory(): Laboratory {
  const laboratory = use(LaboratoryContext);
  if (laboratory === null) throw new Error('outside of LaboratoryProvider');
  return laboratory;
}

export function LaboratoryProvider({ children }: { children: ReactNode }) {
  const feed = useFeed();
  const noCluster = whyClosed(feed);
  const { isTold, spikes, noSpikes, token, look } = useSpikes(noCluster === null);
  const isKnown = noCluster === null ? isTold : feed.state !== 'connecting';
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const act = useCallback(
    async (what: () => Promise<unknown>): Promise<boolean> => {
      setIsBusy(true);
      setProblem(null);
      const refused = await what().then(() => null, wordsOf);
      setIsBusy(false);
      setProblem(refused);
      look();
      return refused === null;
    },
    [look],
  );
  const laboratory = useMemo<Laboratory>(
    () => ({
      isKnown,
      closed: noCluster ?? (token === 'not needed' ? null : LOCKED),
      spikes,
      noSpikes,
      token,
      isBusy,
      problem,
      switchTo: (conditions) => act(() => ask('PUT', '/v1/admin/conditions', conditions)),
      switchSpike: (conditions) => act(() => switchSpike(conditions)),
      start: (wish) => act(() => startSpike(wish)),
      stop: () => act(stopSpike),
      kill: (shard) => act(() => killShard(shard)),
      spread: ({ from, to, count }) => act(() => moveSlots({ from, to, count })),
      unlock: (typed) => {
        keepToken(typed);
        look();
      },
    }),
    [noCluster, isKnown, spikes, noSpikes, token, isBusy, problem, act, look],
  );
  return <LaboratoryContext value={laboratory}>{children}</LaboratoryContext>;
}

/** Null: the gateway of this page answers. */
function whyClosed({ source, state, live: { elsewhere } }: FeedView): string | null {
  if (source === 'recording') return 'This is a recording. Start a cluster to try things yourself.';
  if (state !== 'live') return 'The cluster cannot be reached, so nothing can be tried now.';
  return elsewhere === null ? null : `The gateway of this page does not answer. To try things, open the dashboard at ${elsewhere}.`;
}

interface Told extends Pick<Laboratory, 'spikes' | 'noSpikes' | 'token'> {
  /** the gateway has answered */
  isTold: boolean;
}

const NOTHING_TOLD: Told = { isTold: false, spikes: null, noSpikes: null, token: 'not needed' };
const TOLD: Told = { ...NOTHING_TOLD, isTold: true };

/** A refused token is not kept: the next one may be right. */
function toldBy(error: Error): Told {
  const code = error instanceof Refusal ? error.code : null;
  if (code === 'laboratory_closed') return { ...TOLD, noSpikes: NO_SPIKES };
  if (code !== 'unauthenticated') return { ...TOLD, noSpikes: wordsOf(error) };
  const token = keptToken() === null ? 'needed' : 'wrong';
  keepToken(null);
  return { ...TOLD, token };
}

/** Polls when a mark reports that a spike began or ended, on request, and periodically; once a second while a spike runs. */
function useSpikes(isReached: boolean): Told & { look: () => void } {
  const [told, setTold] = useState<Told>(NOTHING_TOLD);
  const [looks, setLooks] = useState(0);
  const newestSpike = useTelemetry(({ marks }) => marks.findLast(({ what }) => 'spike' in what)?.at_ms ?? null);
  const look = useCallback(() => setLooks((count) => count + 1), []);
  useEffect(() => {
    if (!isReached) return;
    let isGone = false;
    let timer = 0;
    const again = async () => {
      const answer = await readSpikes().catch((error: unknown) => error as Error);
      if (isGone) return;
      const next = answer instanceof Error ? toldBy(answer) : { ...TOLD, spikes: answer };
      setTold(next);
      timer = window.setTimeout(again, next.spikes?.running ? RUNNING_POLL_MS : IDLE_POLL_MS);
    };
    void again();
    return () => {
      isGone = true;
      window.clearTimeout(timer);
    };
  }, [isReached, newestSpike, looks]);
  return { ...(isReached ? told : NOTHING_TOLD), look };
}
