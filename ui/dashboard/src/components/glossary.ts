// The meanings of the dashboard's words: one sentence and one example each, for newcomers. The sentences are those of
// docs/glossary.md (a test compares them); only words for a picture or a figure of this page are defined here alone.

export interface GlossaryEntry {
  /** as in docs/glossary.md, or the beginning of it */
  meaning: string;
  example: string;
}

const ENTRIES = {
  record: {
    meaning: 'A typed value under a key: a counter, a set, a top list.',
    example: 'The bids of one auction are a record.',
  },
  label: {
    meaning: 'The name of a kind of transaction, such as `Bid`. Statistics are kept by label.',
    example: 'Every visitor who bids runs a transaction with the label Bid.',
  },
  retry: {
    meaning: 'The next attempt of the same transaction, started by the client after an abort.',
    example: '“2 retries per commit”: on average, two attempts fail before the third commits.',
  },
  commute: {
    meaning: 'Two operations commute if their order makes no difference: two bids do, a bid and a look at the highest bid do not.',
    example: 'Set.add(a) and Set.add(b) leave the same set, whichever comes first.',
  },
  conflict: {
    meaning: 'Two operations on one record that do not commute, at the same time. One of them has to wait or to start over.',
    example: 'A visitor looks at the highest bid while another one is bidding.',
  },
  holder: {
    meaning: 'An attempt that holds a lock on a record.',
    example: 'A bid holds the auction’s record until it commits.',
  },
  waiter: {
    meaning: 'An attempt that waits for holders of a record.',
    example: 'A bid that waits until those who look have finished.',
  },
  'hot record': {
    meaning: 'A record that many transactions want at the same time.',
    example: 'An auction in its last minute.',
  },
  skew: {
    meaning: 'How unevenly records are chosen.',
    example: 'At 0 all records are equally likely; at 1.4 a handful gets most of the work.',
  },
  'backing off': {
    meaning: 'Waiting a short random time after an abort before the next attempt.',
    example: 'Twenty transactions that were refused together do not all come back at the same instant.',
  },
  wound: {
    meaning:
      'A notice to a younger holder that an older transaction waits for it: from then on it may not wait itself. This breaks deadlocks.',
    example: 'Two transactions wait for each other: the younger one aborts and tries again.',
  },
  'reader/writer locks': {
    meaning: 'Readers share a record; a writer has it alone.',
    example: 'Of a hundred bids on one auction, ninety-nine wait or start over.',
  },
  'commuting locks': {
    meaning: 'Operations that commute share a record.',
    example: 'A hundred bids hold one auction’s record together.',
  },
  phasing: {
    meaning: 'Waiting operations queue by mode, and a whole mode is let in together.',
    example: 'All bids that wait, then all looks that wait, then bids again.',
  },
  mode: {
    meaning: 'A group of operations that may usually run together: `add`, `read`.',
    example: 'All bids are in the mode add, all looks at the top bid in the mode read.',
  },
  phase: {
    meaning: 'The time in which one mode has a record.',
    example: 'For 12 ms only bids are let in, then for 9 ms only looks.',
  },
  'phase time limit': {
    meaning: 'How long a phase lets in newcomers while others wait.',
    example: 'A notch on a phase: it reached the limit, so that the others get their turn.',
  },
  combining: {
    meaning: 'Transactions on hot records are forecast, sent whole, and executed one on top of another, ahead of their commits.',
    example: 'An app server sends 50 bids on one auction in one piece, and none of them holds the auction while messages travel.',
  },
  forecast: {
    meaning: 'A first run of a transaction’s body on a picture. It sends nothing, and predicts one thing: which operations the body makes.',
    example: 'A body that looks at the highest bid, and bids more: both operations are known before the shard is asked.',
  },
  member: {
    meaning: 'A transaction that is sent whole, in a chain.',
    example: 'A bid and the look before it, in one message.',
  },
  chain: {
    meaning: 'The members of one client, in order: each is executed on top of those before it, and they commit in that order.',
    example: 'The third bid of an app server is executed before the first has committed.',
  },
  run: {
    meaning: 'What one chain has executed on a record, as long as it is undecided.',
    example: '40 bids of one app server, executed one after another on one auction.',
  },
  turn: {
    meaning:
      'At a record: the time in which it belongs to the run of one client, while members of others wait. Among clients: the time in which one ' +
      'of them sends wide members.',
    example: 'The bids of the second app server wait until those of the first are decided.',
  },
  wide: {
    meaning: 'Said of a member that has parts at several shards.',
    example: 'A transfer between two accounts whose records are at different shards.',
  },
  sequencer: {
    meaning: 'The live shard with the lowest number, which hands out the turns in which clients send wide members.',
    example: 'Shard 0; if it is down, shard 1.',
  },
  batch: {
    meaning: 'Wide members of one client that commit together, by two-phase commit, as one attempt.',
    example: 'Fourteen transfers of one app server, with one vote at each shard.',
  },
  'stand back': {
    meaning: 'What a batch does that stays undecided: its effects are undone, and it goes on as an attempt that has voted, under locks.',
    example: 'An app server dies between the votes and the outcome of its batch.',
  },
  'broken chain': {
    meaning: 'A chain of which all that was undecided was undone. The client begins a new one.',
    example: 'An app server has kept others waiting for too long.',
  },
  native: {
    meaning: 'A native operation: a single operation outside any transaction, strictly serializable with all transactions.',
    example: 'A page view adds one to the counter of an auction.',
  },
  warranty: {
    meaning:
      'The promise of a shard that an operation has a certain result. A client that has it answers the operation from memory; what would ' +
      'make the result another one waits until all clients have returned the promise.',
    example: 'A front page that everybody reads needs no message, until somebody changes it.',
  },
  epoch: {
    meaning: 'A moment at which all its members hold all their records together.',
    example: 'Thirty app servers each write hundreds of records, and none of them meets another half-way.',
  },
  'member of an epoch': {
    meaning: 'A list of operations, all known at once, that holds nothing before that moment.',
    example: 'An import that writes 300 records, or a report that reads them.',
  },
  gathered: {
    meaning: 'Said of a member that waits for its epoch.',
    example: 'It has come a millisecond after the last epoch has closed, and is in nobody’s way until the next one.',
  },
  listed: {
    meaning: 'Said of a member that holds its records at a shard, and has voted there.',
    example: 'Its 150 records at this shard are its own now, until its turn has ended.',
  },
  seal: {
    meaning: 'The manager’s word which listed members commit, and when.',
    example: 'All shards have listed it: it commits. One has not: it comes back, and is gathered again.',
  },
  'call off': {
    meaning: 'The manager’s word that nothing of an epoch commits: a list was late.',
    example: 'The process of shard 1 was frozen for a moment. The others let go, and the next epoch does without it.',
  },
  slot: {
    meaning: 'One of 16,384 parts of all keys. A shard owns ranges of slots.',
    example: 'Of two shards, each owns 8,192 slots at first.',
  },
  move: {
    meaning: 'A range of slots goes from one shard, the giver, to another, the taker, while both serve.',
    example: 'A third shard joins, and takes a third of the slots from each of the other two.',
  },
  owner: {
    meaning: 'The gateway that serves a shard at present.',
    example: 'In a replicated cluster it may be another gateway tomorrow.',
  },
  standby: {
    meaning: 'A gateway that owns no shard at present and may take one over.',
    example: 'It reads the logs of all shards, so that it has their records in memory when an owner dies.',
  },
  lease: {
    meaning: 'How long an owner may answer without renewing its entry.',
    example: 'A gateway that was frozen for ten seconds answers nothing when it goes on: its lease is over.',
  },
  'take-over': {
    meaning: 'A change of the owner of a shard: another gateway continues it from its log.',
    example: 'A machine loses its power, and seconds later a standby serves its shard.',
  },
  'thrown away': {
    meaning: 'The time of attempts that aborted: their work is lost and has to be done again.',
    example: 'An attempt runs for 5 ms, is refused a lock, and starts over: 5 ms are thrown away.',
  },
  step: {
    meaning: 'A part of an attempt’s time: running, waiting for a lock, or waiting for the outcome after its vote.',
    example: 'Ran 1 ms, waited 22 ms behind a look, ran 1 ms, committed.',
  },
  p50: {
    meaning: 'The median: half of all transactions took no longer than this.',
    example: '“p50 12 ms”: of 100 transactions, 50 took 12 ms or less, retries included.',
  },
  p99: {
    meaning: 'The slowest 1%: 99 of 100 transactions took no longer than this.',
    example: '“p99 350 ms”: of 100 transactions, one took more than 350 ms, retries included.',
  },
} as const satisfies Record<string, GlossaryEntry>;

export type GlossaryWord = keyof typeof ENTRIES;

export const GLOSSARY: Readonly<Record<GlossaryWord, GlossaryEntry>> = ENTRIES;

/** Words that docs/glossary.md need not define: they name a figure or a part of a picture. */
export const ONLY_HERE: readonly GlossaryWord[] = ['step', 'p50', 'p99'];
