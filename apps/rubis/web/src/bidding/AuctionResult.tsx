import { Avatar, classes, formatMoney } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { Flag, ShoppingBag, Trophy } from 'lucide-react';
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

/** The outcome of a closed auction: the winner, or the reason there is none. */
export function AuctionResult({ live, standing, quantity }: AuctionResultProps) {
  const { winner } = live;
  const { headline, reason, bought } = resultWords(live, standing, quantity);
  const Icon = winner ? Trophy : live.ended_by === 'sold_out' ? ShoppingBag : Flag;
  return (
    <div role="status">
      <div className={classes(styles.result, styles.appear, (standing === 'won' || standing === 'bought') && styles.won)}>
        <Icon size={32} aria-hidden="true" />
        <h2>{headline}</h2>
        {winner && standing === 'won' ? (
          <p>
            You won it for <strong className="figures">{formatMoney(live.price_cents)}</strong>.
          </p>
        ) : winner ? (
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
        {bought && <p className={styles.small}>{bought}</p>}
      </div>
    </div>
  );
}
