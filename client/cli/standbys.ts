// The standbys of a cluster with a replicated log, and how far each has followed the logs of the shards, as `claret shards` shows them.

import type { Context, TopologyAnswer } from './context.ts';
import { counted } from './format.ts';
import { readAddress } from './rest.ts';
import type { Screen } from './screen.ts';
import { table } from './table.ts';

interface Followed {
  shard: number;
  /** the last entry of the shard's log that the standby has restored */
  position: number;
  /** It has followed the log to its end, and can take the shard over. */
  ready: boolean;
}

export interface StandbyState {
  rest_address: string;
  grpc_address: string;
  /** `standby`; another phase if it has taken a shard meanwhile; `no answer` */
  state: string;
  /** `behind`: entries that the owner has beyond the standby, but for what it wrote between the two answers; null: the owner does not say */
  follows: (Followed & { behind: number | null })[];
}

interface Readiness {
  /** the phase; `no answer` */
  state: string;
  follows: Followed[];
}

/** Asks a gateway for its phase. One that is not ready answers 503, and its body says why. */
export async function readiness(timeoutMs: number, address: string): Promise<Readiness> {
  try {
    const answer = await fetch(`http://${address}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
    const { phase, follows = [] } = (await answer.json()) as { phase?: string; follows?: Followed[] };
    return { state: phase ?? (answer.ok ? 'serving' : 'not ready'), follows };
  } catch {
    return { state: 'no answer', follows: [] };
  }
}

export async function standbyOf(
  { rest }: Context,
  { address, rest_address }: TopologyAnswer['standbys'][number],
): Promise<Omit<StandbyState, 'follows'> & { follows: Followed[] }> {
  const found = await readiness(rest.gateway.timeoutMs, readAddress(rest_address));
  return { rest_address, grpc_address: address, ...found };
}

/** `owners`: how far the owners are. */
export function withLag(
  standbys: readonly Awaited<ReturnType<typeof standbyOf>>[],
  owners: readonly { shard: number; log_position: number | null }[],
): StandbyState[] {
  const positions = new Map(owners.map(({ shard, log_position }) => [shard, log_position]));
  const behind = ({ shard, position }: Followed) => {
    const owner = positions.get(shard) ?? null;
    return owner === null ? null : Math.max(0, owner - position);
  };
  return standbys.map(({ follows, ...standby }) => ({ ...standby, follows: follows.map((one) => ({ ...one, behind: behind(one) })) }));
}

/** None if there are no standbys. */
export function standbyTable(screen: Screen, standbys: readonly StandbyState[]): string[] {
  if (standbys.length === 0) return [];
  const { green, red, yellow } = screen.colours;
  const rows = standbys.flatMap(({ rest_address, grpc_address, state, follows }) => {
    const gateway = [rest_address, grpc_address];
    if (state === 'no answer') return [[...gateway, '', red(state)]];
    if (follows.length === 0) return [[...gateway, '', yellow(state)]];
    return follows.map((one, at) => [
      ...(at === 0 ? gateway : ['', '']),
      String(one.shard),
      one.ready ? green(lagWords(one)) : yellow(`still reading, ${lagWords(one)}`),
    ]);
  });
  const address = (header: string) => ({ header, shrinks: true, cut: 'middle' as const });
  const columns = [address('standby REST'), address('gRPC'), { header: 'shard', align: 'right' as const }, { header: 'lag' }];
  return ['', table(columns, rows, screen)];
}

function lagWords({ behind, position }: StandbyState['follows'][number]): string {
  if (behind === null) return `at entry ${position}`;
  return behind === 0 ? 'up to date' : `${counted(behind, 'entry', 'entries')} behind`;
}
