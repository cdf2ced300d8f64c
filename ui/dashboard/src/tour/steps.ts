// The paper's story in five steps, that of Mediator in two, that of warranties in two, and that of epochs in two. Each puts the cluster under load with its own conditions, and says what to expect, why, and
// where to look. The figures are measured on the running cluster.
import type { Conditions } from '@claret/client/telemetry';
import { WAYS } from '../laboratory/conditions.ts';
import type { SpikeWish } from '../laboratory/spikes.ts';

export interface Step {
  title: string;
  /** what the step shows */
  tell: string;
  why: string;
  look: string;
  /** the usual reason if it is no faster than the previous step */
  otherwise: string;
  conditions: Conditions;
  spike: SpikeWish;
}

const CLIENTS = 128;
const bidSpike: SpikeWish = { spike: 'bid-spike', seconds: 15, clients: CLIENTS };
const nativesSpike: SpikeWish = { spike: 'natives', seconds: 15, clients: CLIENTS };
const popularPost: SpikeWish = { spike: 'popular-post', seconds: 15, clients: CLIENTS };
/** Each has hundreds of records in flight. */
const lists: SpikeWish = { spike: 'lists', seconds: 15, clients: 16 };

export const STEPS: readonly Step[] = [
  {
    title: 'Everybody wants the same record',
    tell: 'Many people bid on one auction and look at it. The more of them there are, the less gets done: most attempts are refused and have to start over.',
    why: 'With reader/writer locks, as in most databases, each bid shuts out all others until it has committed.',
    look: '“Throughput” and “Retries” at the top. Under “Who blocks whom?”, Bid blocks Bid.',
    otherwise: '',
    conditions: WAYS[0].conditions,
    spike: bidSpike,
  },
  {
    title: 'Two bids don’t mind each other',
    tell: 'The same load, but bids no longer block bids. More of them commit, with fewer retries.',
    why: 'Whichever of two bids comes first, the auction ends up the same: they commute. Claret knows that for every operation, and lets operations that commute share a record.',
    look: 'Under “Who blocks whom?”, Bid no longer blocks Bid. What is left is Bid and ViewAuction: looking before or after a bid does make a difference.',
    otherwise:
      'Commuting locks help where operations meet. On a busy machine, the load’s own process may be too slow for many bids to meet.',
    conditions: WAYS[1].conditions,
    spike: bidSpike,
  },
  {
    title: 'Take turns, in groups',
    tell: 'Bids and looks take turns: a phase of bids, a phase of looks, and so on. Waiting takes the place of most retries.',
    why: 'Bids and looks don’t mix, but many bids do, and so do many looks. So an operation that has to wait is not refused. It queues with its kind, and the whole kind is let in at once. A time limit on each phase keeps the others from waiting too long.',
    look: 'The hot record under “Lock phases of hot records”: its bands alternate, with waiters above them. “Transactions by state” now shows waiting instead of thrown-away work.',
    otherwise:
      'Waiting in line costs about as much as trying again as long as retries are cheap. Phasing pays off with longer transactions and hotter records.',
    conditions: WAYS[2].conditions,
    spike: bidSpike,
  },
  {
    title: 'Don’t hold it while messages travel',
    tell: 'Until now each transaction has kept the hot record while its messages travelled. Now bids and looks are executed there one after another, as fast as the shard can. More gets done in less time.',
    why: 'The app server first runs a transaction on a picture of the hot records: a forecast of its operations. It sends them in one piece, and the shard executes them on top of those before. Unless all results are as forecast, the transaction runs again on the true ones. If it makes the same operations, it commits. If not, it is taken out, and what stood on it is executed again. This needs no operations that commute.',
    look: '“Forecasts” at the top: how many were sent, and how few were wrong. Under “Lock phases of hot records”, a run of the load’s clients takes the place of the bands. Under “Who blocks whom?”, what was executed again.',
    otherwise:
      'Forecasts pay off where records are hot and messages are slow. They gain little where the app server, here the load’s own process, is the limit.',
    conditions: WAYS[3].conditions,
    spike: bidSpike,
  },
  {
    title: 'Another spike, the same ideas',
    tell: 'A post goes viral: many people repost it and read it. Other records get hot, and it works the same way.',
    why: 'Nothing here was made for auctions. Counters, sets and lists each say which of their operations commute, and the rest follows.',
    look: 'Other records are hot now, with other phases. The page “Data types” shows what commutes for each type.',
    otherwise: '',
    conditions: WAYS[3].conditions,
    spike: { spike: 'viral-post', seconds: 15, clients: CLIENTS },
  },
  {
    title: 'No transaction for a single operation',
    tell: 'Most operations of an application stand alone: a page view, a look at a counter. Here they run as natives, outside any transaction, on the records that transactions read and change. There are many times more of them than transactions, and both stay strictly serializable.',
    why: 'A native waits only for transactions that have voted. One that changes what a transaction has read ends that transaction before its vote, and it starts over. After two such breaks, natives let it go first for a while.',
    look: '“Natives” beside “Throughput” at the top. Under “Who blocks whom?”, the column (native): whom natives broke, and for whom they waited. Under the lanes, the comb: its triangles are breaks.',
    otherwise: '',
    conditions: { ...WAYS[3].conditions, natives: 'pass' },
    spike: nativesSpike,
  },
  {
    title: 'Or let natives wait',
    tell: 'The same load, but natives wait for the transactions that they would have broken. Transactions start over less often; natives take longer.',
    why: 'It is a trade, and the cluster can change it at any time. Where transactions are long and natives change what they read, waiting saves work. Elsewhere natives should pass.',
    look: 'In the column (native) nothing is broken any more. The comb is hatched where natives waited, and “Who waits for whom?” lists them.',
    otherwise: 'Waiting costs natives more than it saves transactions, where a retry is cheap.',
    conditions: { ...WAYS[3].conditions, natives: 'wait' },
    spike: nativesSpike,
  },
  {
    title: 'What everybody reads',
    tell: 'Nearly everybody only looks at one post; one transaction in 2,000 reposts it. Each look asks the shard, though the answer has hardly ever changed.',
    why: 'A cache would answer sooner, and sometimes wrongly. So most systems ask again and again.',
    look: '“Throughput” and “Latency” at the top.',
    otherwise: '',
    conditions: { ...WAYS[3].conditions, warranties: 'off' },
    spike: popularPost,
  },
  {
    title: 'A promise instead of a question',
    tell: 'The same load, but the shard promises the app server what it reads often. Looks are then answered from memory, without a message, and are never out of date. A repost waits until the app server has returned the promise: about as long as one message there and back.',
    why: 'A promise is an operation with its result, such as “the post has 12 reposts”. Only what would make it wrong ends it. If an app server is silent, the shard waits for it no longer than a second.',
    look: '“From memory” at the top. Under “Lock phases of hot records”, the thin band above a lane: a warranty stands; hatched: a repost waited for its end.',
    otherwise:
      'Warranties pay off where results are read far more often than changed, and where messages cost more than the work of the app server, here the load’s own process.',
    conditions: { ...WAYS[3].conditions, warranties: 'auto' },
    spike: popularPost,
  },
  {
    title: 'Thousands of keys at once',
    tell: 'Sixteen clients each write or read a list of 300 records, again and again: together a quarter of all there are. By locks, whoever asks for so many records meets somebody at one of them.',
    why: 'A list holds the records that it has got while it waits for the others, at every shard. The longer the lists and the more of them, the more they hold each other up.',
    look: '“Throughput” and “Retries” at the top. Under “Who blocks whom?”, WriteList and ReadList block each other.',
    otherwise: '',
    conditions: { ...WAYS[3].conditions, epochs: 'off' },
    spike: lists,
  },
  {
    title: 'One moment for all of them',
    tell: 'The same load, but lists hold nothing while they gather. Then there is one moment at which all of them hold all their records, and from it on they take effect one after the other.',
    why: 'That moment is called an epoch. Members of one epoch pass each other, since their order is decided afterwards. To all other transactions they are like any other that has voted, so everything stays strictly serializable.',
    look: '“Epochs” at the top, and the lanes below: above the band the members that gather, dark where they hold, then the turn of writes and that of reads. Hatched: a shard’s list was late, so the epoch was called off.',
    otherwise:
      'Epochs pay off where lists are long and meet each other. An epoch takes about three messages between shards, so on a busy machine, or with few lists at a time, locks may be as fast.',
    conditions: { ...WAYS[3].conditions, epochs: 'on' },
    spike: lists,
  },
];
