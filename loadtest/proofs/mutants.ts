// The core with a deliberate mistake (the addon claret_mutants). A run of a proof must find the mistake.
import { createRequire } from 'node:module';
import type { Shard, ShardOptions, catalogue, releaseMemory, slotOf } from '@claret/core';

/** In the order of `enum class Mutation`. */
const MUTATIONS = [
  'none',
  'skip-conflict',
  'skip-dependent',
  'commit-twice',
  'missing-vote-is-yes',
  'forget-abort',
  'release-reads-at-vote',
  'wounded-may-wait',
  'forget-vote-at-restart',
  'answer-before-durable',
  'checkpoint-keeps-flags',
  'checkpoint-before-leaving',
  'checkpoint-forgets-votes',
  'checkpoint-begins-late',
  'checkpoint-mixes-parts',
  'answers-not-logged',
  'answers-not-put',
  'refuse-far-outcome',
  'start-ahead',
  'start-below-ceiling',
  'native-ignores-votes',
  'native-spares-readers',
  'withdrawn-counts-as-done',
  'resumed-session-stands',
  'natives-not-numbered',
  'native-overtakes-own',
  'newcomers-pass-natives',
  'commands-divided',
  'natives-not-cut',
  'natives-not-positioned',
  'one-shot-ignores-votes',
  'foreign-on-run',
  'no-undo',
  'undo-forwards',
  'not-executed-again',
  'not-answered-again',
  'stale-answer-counts',
  'broken-still-commits',
  'old-chain-kept',
  'word-skips-undecided',
  'lock-on-tip',
  'native-on-tip',
  'overtakes-in-chain',
  'board-of-tip',
  'board-of-two-times',
  'board-of-old-time',
  'watch-of-tip',
  'checkpoint-of-tip',
  'peek-of-tip',
  'peek-passes-voted',
  'peek-any-time',
  'logged-at-entry',
  'loss-undoes-voted',
  'stood-back-still-stood-upon',
  'aborted-still-stood-upon',
  'later-turn-stays',
  'peek-leaves-clock',
  'batch-ignores-missing',
  'own-vote-is-time',
  'refusal-above-undecided',
  'took-not-awaited',
  'gave-not-awaited',
  'changed-not-copied',
  'answers-not-moved',
  'holder-not-drained',
  'change-violates-warranty',
  'end-at-recall',
  'lapse-early',
  'firm-forgotten',
  'no-quarantine',
  'not-before-ignored',
  'not-after-ignored',
  'end-leaves-clock',
  'grant-on-own-change',
  'grant-past-waiters',
  'past-ignores-votes',
  'past-leaves-clock',
  'past-forgets-overtaken',
  'snapshot-ignores-age',
  'snapshot-forgets-votes',
  'snapshot-no-first-committer',
  'expect-not-compared',
  'epoch-passes-old',
  'epoch-ignores-holders',
  'epoch-joins-readers',
  'epoch-vote-order',
  'epoch-off-after-told',
  'epoch-late-list',
  'epoch-seals-without',
  'epoch-half',
  'epoch-votes-to-clients',
  'epoch-list-before-durable',
  'epoch-forgets-list',
  'epoch-overtakes',
  'epoch-no-moment',
  'epoch-manager-lists-last',
] as const;
export type Mutation = (typeof MUTATIONS)[number];

interface Mutants {
  Shard: new (options: ShardOptions) => Shard;
  catalogue: typeof catalogue;
  slotOf: typeof slotOf;
  releaseMemory: typeof releaseMemory;
  mutate(mutation: number): void;
}

/** The addon `claret_mutants`; all its shards have this mistake until another is requested. Throws if it is not built. */
export function mutants(mutation: Mutation): Mutants {
  const addon = createRequire(import.meta.url)('../../server-core/build/release/claret_mutants.node') as Mutants;
  addon.mutate(MUTATIONS.indexOf(mutation));
  return addon;
}

export function shardsWith(mutation: Mutation): (options: ShardOptions) => Shard {
  const addon = mutants(mutation);
  return (options) => new addon.Shard(options);
}
