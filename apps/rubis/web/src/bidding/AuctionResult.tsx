import { Avatar, classes, formatCounted, formatMoney } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { Flag, Trophy } from 'lucide-react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import styles from './BidPanel.module.css';
import { resultWords } from './resultWords.ts';

export interface AuctionResultProps {
  live: api.LiveItem;
  standing: api.StandingName | null;
  /** pieces that were on sale */
  quantity: number;
}

/** Who won, or why nobody did: the same for everybody who looks. */
export function AuctionResult({ live, standing, quantity }: AuctionResultProps) {
  const { winner } = live;
  const { headline, reason } = resultWords(live, standing);
  const bought = live.buy_now && live.ended_by === 'time' ? quantity - live.buy_now.left - (winner ? 1 : 0) : 0;
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
          <p>{reason}</p>
        )}
        {bought > 0 && (
          <p className={styles.small}>
            {bought} of {formatCounted(quantity, 'piece', 'pieces')} sold by buy now
          </p>
        )}
      </div>
    </div>
  );
}
