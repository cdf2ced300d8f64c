// The paper's story in five steps. Each sets conditions, sends a crowd, and says where to look; its figures are whatever
// the cluster then does.
import type { Conditions } from '../../../telemetry/frame.ts';
import { WAYS } from '../laboratory/conditions.ts';
import type { SpikeWish } from '../laboratory/spikes.ts';

export interface Step {
  title: string;
  tell: string;
  look: string;
  conditions: Conditions;
  spike: SpikeWish;
}

const CLIENTS = 128;
const bidStorm: SpikeWish = { spike: 'bid-storm', seconds: 15, clients: CLIENTS };

export const STEPS: readonly Step[] = [
  {
    title: 'Everybody wants the same record',
    tell:
      'A crowd bids on one auction and looks at it. With reader/writer locks, as in most databases, each bid shuts out all others: ' +
      'whoever comes meanwhile is refused, and tries again.',
    look: 'How much gets done, and how often in vain. Under “Who is in whose way?”: Bid meets Bid.',
    conditions: WAYS[0].conditions,
    spike: bidStorm,
  },
  {
    title: 'Two bids do not mind each other',
    tell:
      'Whichever of two bids comes first, the auction ends up the same: they commute. Claret knows that of every operation, and lets those ' +
      'that commute hold a record together. The paper calls it boosting.',
    look: 'Whether Bid still meets Bid. What is left is Bid and ViewAuction: whether one looks before a bid or after it does make a difference.',
    conditions: WAYS[1].conditions,
    spike: bidStorm,
  },
  {
    title: 'Take turns, in crowds',
    tell:
      'Bids and looks do not mix, but many bids do, and many looks. So who must wait is not refused but queues with its kind, and a whole kind ' +
      'enters at once: a phase of bids, a phase of looks, and so on. A cap on each phase sees that nobody waits for ever.',
    look: 'The hot record under “What is let in, and when?”: its bands alternate, and above them stand those who wait. “Where does their time go?” now has waiting in it, where before there were refusals.',
    conditions: WAYS[2].conditions,
    spike: bidStorm,
  },
  {
    title: 'Ask once for many',
    tell:
      'Many transactions of one app server want the same of the same record. The server asks once, holds on to the answer, and its transactions ' +
      'share it. Each still commits or aborts alone.',
    look: 'What gets done by as many clients, and how long it takes them.',
    conditions: WAYS[3].conditions,
    spike: bidStorm,
  },
  {
    title: 'Another crowd, the same ideas',
    tell:
      'A post goes viral: a crowd reposts it and reads it. Nothing was made for auctions: counters, sets and lists each say what of them commutes, ' +
      'and the rest follows.',
    look: 'Other records are hot now, with other phases. “Data types” shows what commutes for each of them.',
    conditions: WAYS[3].conditions,
    spike: { spike: 'viral-post', seconds: 15, clients: CLIENTS },
  },
];
