import { classes, formatMoney } from '@claret/ui/kit';
import { isSurelyUndone } from '@claret/ui/site';
import { CircleCheck, CircleX, Hourglass, TriangleAlert } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import styles from './BidPanel.module.css';
import type { BidState } from './useBid.ts';

/** What became of the bid that was just placed. */
export function BidOutcome({ state, live }: { state: BidState; live: api.LiveItem }) {
  return <div role="status">{state.step !== 'idle' && <Words state={state} live={live} />}</div>;
}

function Words({ state, live }: { state: Exclude<BidState, { step: 'idle' }>; live: api.LiveItem }) {
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
          <strong>Your bid of {amount} stands</strong>
          <span className={styles.detail}>Looking whether it leads…</span>
        </p>
      );
    case 'leads':
      return (
        <p className={classes(styles.outcome, styles.good)}>
          <CircleCheck size={20} aria-hidden="true" />
          <strong>You lead with {formatMoney(live.price_cents)}</strong>
          <span className={styles.detail}>
            {most
              ? `Your secret maximum is ${most}. We tell you at once if somebody goes beyond it.`
              : 'We tell you at once if somebody bids more.'}
          </span>
        </p>
      );
    case 'overtaken':
      return (
        <p className={classes(styles.outcome, styles.warn)}>
          <TriangleAlert size={20} aria-hidden="true" />
          <strong>You’ve been outbid</strong>
          <span className={styles.detail}>
            {most ? `Your bid went all the way to ${most}` : `Your ${amount} stands`}, but somebody is ready to pay more. Bid{' '}
            {formatMoney(live.min_next_bid_cents)} or more to lead.
          </span>
        </p>
      );
    case 'failed':
      return (
        <p className={classes(styles.outcome, styles.bad)}>
          <CircleX size={20} aria-hidden="true" />
          <strong>
            {isSurelyUndone(state.problem.code)
              ? 'Your bid was not placed'
              : 'We do not know yet whether your bid was placed'}
          </strong>
          <span className={styles.detail}>{state.problem.message}</span>
        </p>
      );
  }
}
