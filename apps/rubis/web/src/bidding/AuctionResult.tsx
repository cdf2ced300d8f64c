import { Avatar, classes, formatMoney } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { Flag, Trophy } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import styles from './BidPanel.module.css';

const HEADLINES: Partial<Record<api.StandingName, string>> = {
  won: 'You won!',
  lost: 'Somebody else won',
  sold: 'Your auction sold',
  unsold: 'Your auction ended without a bid',
};

/** Who won, or that nobody did: the same for everybody who looks. */
export function AuctionResult({ live, standing }: { live: api.LiveItem; standing: api.StandingName | null }) {
  const { winner } = live;
  const headline = (standing && HEADLINES[standing]) ?? (winner ? 'The auction has ended' : 'Ended without a bid');
  const Icon = winner ? Trophy : Flag;
  return (
    <div role="status">
      <div className={classes(styles.result, styles.appear, standing === 'won' && styles.won)}>
        <Icon size={32} aria-hidden="true" />
        <h2>{headline}</h2>
        {winner ? (
          <p>
            Sold to{' '}
            <AppLink to={PAGE.user(winner.id)} className={styles.winner}>
              <Avatar name={winner.nickname} size={24} />
              {winner.nickname}
            </AppLink>{' '}
            for <strong className="figures">{formatMoney(live.price_cents)}</strong>
          </p>
        ) : (
          <p>Nobody bid this time.</p>
        )}
      </div>
    </div>
  );
}
