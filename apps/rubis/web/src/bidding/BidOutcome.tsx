import { Button, classes, formatMoney } from '@claret/ui/kit';
import { isSurelyUndone } from '@claret/ui/site';
import { CircleCheck, CircleX, Hourglass, TriangleAlert } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import styles from './BidPanel.module.css';
import type { Bidding, BidState } from './useBid.ts';

export interface BidOutcomeProps {
  bidding: Bidding;
  /** the standing has changed since, so the outcome is out of date */
  isOutdated: boolean;
  live: api.LiveItem;
}

/** The outcome of the bid that was just placed. */
export function BidOutcome({ bidding, isOutdated, live }: BidOutcomeProps) {
  const { state, place } = bidding;
  return (
    <div role="status">
      {state.step !== 'idle' && !isOutdated && (
        <Words state={state} live={live} onBid={(amount_cents) => void place({ amount_cents, max_cents: null })} />
      )}
    </div>
  );
}

interface WordsProps {
  state: Exclude<BidState, { step: 'idle' }>;
  live: api.LiveItem;
  onBid(amount_cents: number): void;
}

function Words({ state, live, onBid }: WordsProps) {
  const amount = formatMoney(state.amount_cents);
  const most = state.max_cents === null || state.max_cents <= state.amount_cents ? null : formatMoney(state.max_cents);
  switch (state.step) {
    case 'placing':
      return (
        <p className={styles.outcome}>
          <Hourglass size={20} aria-hidden="true" />
          <strong>Placing your bid of {amount}…</strong>
        </p>
      );
    case 'accepted':
      return (
        <p className={styles.outcome}>
          <CircleCheck size={20} aria-hidden="true" />
          <strong>Your bid of {amount} is in</strong>
          <span className={styles.detail}>Checking whether it leads…</span>
        </p>
      );
    case 'leads':
      return (
        <p className={classes(styles.outcome, styles.good)}>
          <CircleCheck size={20} aria-hidden="true" />
          <strong>You’re leading with {formatMoney(live.price_cents)}</strong>
          <span className={styles.detail}>
            {most
              ? `Your secret maximum is ${most}. We’ll tell you right away if someone beats it.`
              : 'We’ll tell you right away if someone bids more.'}
          </span>
        </p>
      );
    case 'overtaken':
      return (
        <p className={classes(styles.outcome, styles.warn)}>
          <TriangleAlert size={20} aria-hidden="true" />
          <strong>You’ve been outbid</strong>
          <span className={styles.detail}>
            {overtakenBy(state, live)} Bid {formatMoney(live.min_next_bid_cents)} or more to take the lead.
          </span>
        </p>
      );
    case 'failed':
      return state.problem.code === 'amount_below_minimum' ? (
        <TooLow amount={amount} live={live} told_cents={Number(state.problem.facts['min_next_bid_cents'] ?? 0)} onBid={onBid} />
      ) : (
        <p className={classes(styles.outcome, styles.bad)}>
          <CircleX size={20} aria-hidden="true" />
          <strong>{isSurelyUndone(state.problem.code) ? 'Your bid wasn’t placed' : 'Your bid may not have been placed'}</strong>
          <span className={styles.detail}>{state.problem.message}</span>
        </p>
      );
  }
}

function overtakenBy({ amount_cents, max_cents }: { amount_cents: number; max_cents: number | null }, live: api.LiveItem): string {
  const most_cents = max_cents ?? amount_cents;
  // A higher maximum of another bidder would have raised the price above it.
  if (live.price_cents === most_cents) return 'Someone bid the same amount before you.';
  return `Your ${formatMoney(most_cents)} wasn’t enough: someone is willing to pay more.`;
}

interface TooLowProps extends Pick<WordsProps, 'live' | 'onBid'> {
  amount: string;
  /** the minimum in the refusal */
  told_cents: number;
}

/** The price rose before the bid arrived. The form offers the present minimum: minimums only rise, so the higher known one is newer. */
function TooLow({ amount, live, told_cents, onBid }: TooLowProps) {
  const least_cents = Math.max(live.min_next_bid_cents, told_cents);
  const least = formatMoney(least_cents);
  return (
    <div className={classes(styles.outcome, styles.warn)}>
      <TriangleAlert size={20} aria-hidden="true" />
      <strong>Your bid of {amount} wasn’t placed</strong>
      <span className={styles.detail}>The price went up in the meantime. The minimum is now {least}.</span>
      {live.status === 'open' && (
        <span className={styles.detail}>
          <Button size="small" look="primary" onClick={() => onBid(least_cents)}>
            Bid {least}
          </Button>
        </span>
      )}
    </div>
  );
}
