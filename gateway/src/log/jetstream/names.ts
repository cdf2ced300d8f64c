// The two streams of a shard (docs/wire-format.md, "The log on JetStream") and the subjects of their messages. Names of streams take no
// dot, and so neither does the name of a cluster with such logs.

export interface StreamNames {
  log: { stream: string; subjects: string; entries: string; start: string; seal: string };
  checkpoint: { stream: string; subjects: string; part: string; last: string; start: string };
}

export function namesOf(clusterName: string, shard: number): StreamNames {
  const stream = `claret-${clusterName}-${shard}`;
  const log = `claret.${clusterName}.${shard}.log`;
  const checkpoint = `claret.${clusterName}.${shard}.checkpoint`;
  return {
    log: { stream: `${stream}-log`, subjects: `${log}.*`, entries: `${log}.entries`, start: `${log}.start`, seal: `${log}.seal` },
    checkpoint: {
      stream: `${stream}-checkpoint`,
      subjects: `${checkpoint}.*`,
      part: `${checkpoint}.part`,
      last: `${checkpoint}.last`,
      start: `${checkpoint}.start`,
    },
  };
}
