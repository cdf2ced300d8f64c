// One's own auctions as lines: how one stands in each, live, and the next thing to do.
import { Button, Countdown, formatCounted, formatMoney, LiveValue } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { useFollow, useLiveItem, useStanding } from '../live/live.ts';
import styles from './EntryList.module.css';
import { ItemPicture } from './ItemPicture.tsx';
import { StandingPill } from './StandingPill.tsx';

export function EntryList({ entries, label }: { entries: readonly api.MyEntry[]; label: string }) {
  useFollow(entries.filter(({ item }) => item.status === 'open').map(({ item }) => item.id));
  return (
    <ul className={styles.list} aria-label={label}>
      {entries.map((entry) => (
        <Entry key={entry.item.id} entry={entry} />
      ))}
    </ul>
  );
}

function Entry({ entry }: { entry: api.MyEntry }) {
  const item = useLiveItem(entry.item);
  const said = useStanding(item.id);
  const standing = said?.standing ?? entry.standing;
  const my_bid_cents = said?.my_bid_cents ?? entry.my_bid_cents;
  const min_next_bid_cents = said?.min_next_bid_cents ?? entry.min_next_bid_cents;
  const { winner } = entry;
  return (
    <li className={styles.entry}>
      <div className={styles.picture}>
        <ItemPicture item={entry.item} />
      </div>
      <div>
        <AppLink to={PAGE.item(item.id)} className={styles.title}>
          {entry.item.title}
        </AppLink>
        <p className={styles.meta}>
          {standing !== null && <StandingPill standing={standing} />}
          {my_bid_cents !== null && <span>Your bid: {formatMoney(my_bid_cents)}</span>}
          <span>{item.bid_count === 0 ? 'No bids' : formatCounted(item.bid_count, 'bid', 'bids')}</span>
          {winner && standing !== 'won' && <span>Won by {winner.nickname}</span>}
        </p>
      </div>
      <div className={styles.end}>
        <LiveValue value={item.price_cents} className={styles.price}>
          {formatMoney(item.price_cents)}
        </LiveValue>
        <Countdown end_ms={item.closes_at_ms} isOver={item.status === 'closed'} />
        {standing === 'outbid' && item.status === 'open' && (
          <Button asChild size="small" look="primary">
            <AppLink to={PAGE.item(item.id)}>Bid {formatMoney(min_next_bid_cents)}</AppLink>
          </Button>
        )}
        {entry.may_comment_on.map((party) => (
          <Button asChild size="small" key={party.id}>
            <AppLink to={PAGE.item(item.id)}>Comment on {party.nickname}</AppLink>
          </Button>
        ))}
      </div>
    </li>
  );
}
