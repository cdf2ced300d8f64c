// The newest topology that any of the gateways knows. A gateway that stands still is not waited for.

const WITHIN_MS = 1_000;

export interface TopologyAnswer {
  version: number;
  shards: { shard: number; rest_address: string }[];
}

/** `rest`: base URLs. Throws if no gateway answers. */
export async function newestTopology(rest: readonly string[]): Promise<TopologyAnswer> {
  const answers = await Promise.allSettled(rest.map(topologyAt));
  const known = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const [newest] = known.sort((one, other) => other.version - one.version);
  if (newest === undefined) throw new Error(`no gateway tells the topology: ${(answers[0] as PromiseRejectedResult).reason}`);
  return newest;
}

async function topologyAt(rest: string): Promise<TopologyAnswer> {
  const response = await fetch(`${rest}/v1/topology`, { signal: AbortSignal.timeout(WITHIN_MS) });
  if (response.status !== 200) throw new Error(`${rest} answers ${response.status}`);
  return (await response.json()) as TopologyAnswer;
}
