// The person's own auctions as rows: the standing in each, live, and the next action.
import { Button, Countdown, formatCounted, formatMoney, formatRelative, LiveValue, useServerNow } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import type { ReactNode } from 'react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { ReservePill } from '../bidding/ReservePill.tsx';
import { useFollow, useLiveItem, useStanding } from '../live/live.ts';
import styles from './EntryList.module.css';
import { ItemPicture } from './ItemPicture.tsx';
import { StandingPill } from './StandingPill.tsx';
import { StopWatching } from './StopWatching.tsx';

export interface EntryListProps {
  entries: readonly api.MyEntry[];
  label: string;
  /** for a watch list: called when the person has stopped watching one of them */
  onUnwatch?(): void;
}

export function EntryList({ entries, label, onUnwatch }: EntryListProps) {
  useFollow(entries.filter(({ item }) => item.status === 'open').map(({ item }) => item.id));
  return (
    <ul className={styles.list} aria-label={label}>
      {entries.map((entry) => (
        <Entry key={entry.item.id} entry={entry} more={onUnwatch && <StopWatching item={entry.item} onDone={onUnwatch} />} />
      ))}
    </ul>
  );
}

/** Purchases: quantity, price and time. */
export function PurchaseList({ purchases, label }: { purchases: readonly api.Purchase[]; label: string }) {
  const now_ms = useServerNow();
  return (
    <ul className={styles.list} aria-label={label}>
      {purchases.map(({ purchase_id, item, quantity, price_cents, total_cents, bought_at_ms, may_comment_on }) => (
        <Line
          key={purchase_id}
          item={item}
          meta={
            <span className="facts">
              <span>{quantity === 1 ? '1 piece' : `${quantity} pieces, ${formatMoney(price_cents)} each`}</span>
              <span>
                From <AppLink to={PAGE.user(item.seller.id)}>{item.seller.nickname}</AppLink>
              </span>
              <span>Bought {formatRelative(Math.min(bought_at_ms, now_ms), now_ms)}</span>
            </span>
          }
          end={
            <>
              <span className={styles.price}>{formatMoney(total_cents)}</span>
              <CommentLinks item_id={item.id} people={may_comment_on} />
            </>
          }
        />
      ))}
    </ul>
  );
}

function Entry({ entry, more }: { entry: api.MyEntry; more: ReactNode }) {
  const item = useLiveItem(entry.item);
  const said = useStanding(item.id);
  const standing = said?.standing ?? entry.standing;
  const my_bid_cents = said?.my_bid_cents ?? entry.my_bid_cents;
  const my_max_cents = said?.my_max_cents ?? entry.my_max_cents;
  const min_next_bid_cents = said?.min_next_bid_cents ?? entry.min_next_bid_cents;
  const isOpen = item.status === 'open';
  const { winner, sales } = entry;
  // An own auction that is over shows its revenue; others show the price.
  const price_cents = !isOpen && sales.length > 0 ? sales.reduce((sum, { total_cents }) => sum + total_cents, 0) : item.price_cents;
  return (
    <Line
      item={entry.item}
      meta={
        <>
          {standing !== null && <StandingPill standing={standing} />}
          {item.reserve === 'not_met' && <ReservePill reserve={item.reserve} />}
          <span className="facts">
            {my_bid_cents !== null && <span>Your bid: {formatMoney(my_bid_cents)}</span>}
            {isOpen && my_max_cents !== null && my_max_cents > (my_bid_cents ?? 0) && (
              <span>Your secret maximum: {formatMoney(my_max_cents)}</span>
            )}
            <span>{item.bid_count === 0 ? 'No bids' : formatCounted(item.bid_count, 'bid', 'bids')}</span>
            {winner && standing !== 'won' && sales.length === 0 && <span>Won by {winner.nickname}</span>}
          </span>
        </>
      }
      below={sales.length > 0 && <Sales sales={sales} />}
      end={
        <>
          <LiveValue value={price_cents} className={styles.price}>
            {formatMoney(price_cents)}
          </LiveValue>
          <Countdown end_ms={item.closes_at_ms} isOver={!isOpen} />
          {standing === 'outbid' && isOpen && (
            <Button asChild size="small" look="primary">
              <AppLink to={PAGE.todo(item.id, 'bid')}>Bid {formatMoney(min_next_bid_cents)}</AppLink>
            </Button>
          )}
          <CommentLinks item_id={item.id} people={entry.may_comment_on} />
          {more}
        </>
      }
    />
  );
}

/** The buyers and winner of an item that the person sold. */
function Sales({ sales }: { sales: readonly api.Sale[] }) {
  return (
    <ul className={styles.sales} aria-label="Buyers">
      {sales.map(({ buyer, quantity, total_cents, at_ms }) => (
        <li key={`${buyer.id} ${at_ms}`}>
          <AppLink to={PAGE.user(buyer.id)}>{buyer.nickname}</AppLink>
          {quantity > 1 && ` · ${quantity} pieces`} · <span className="figures">{formatMoney(total_cents)}</span>
        </li>
      ))}
    </ul>
  );
}

const COMMENTS_NAMED_MAX = 1;

function CommentLinks({ item_id, people }: { item_id: string; people: readonly api.UserRef[] }) {
  if (people.length === 0) return null;
  const whom = people.length > COMMENTS_NAMED_MAX ? `${people.length} people` : people[0]!.nickname;
  return (
    <Button asChild size="small">
      <AppLink to={PAGE.todo(item_id, 'comment')}>Rate {whom}</AppLink>
    </Button>
  );
}

interface LineProps {
  item: api.ItemCard;
  meta: ReactNode;
  below?: ReactNode;
  end: ReactNode;
}

function Line({ item, meta, below, end }: LineProps) {
  return (
    <li className={styles.entry}>
      <div className={styles.picture}>
        <ItemPicture item={item} />
      </div>
      <div>
        <AppLink to={PAGE.item(item.id)} className={styles.title} dir="auto">
          {item.title}
        </AppLink>
        <p className={styles.meta}>{meta}</p>
        {below}
      </div>
      <div className={styles.end}>{end}</div>
    </li>
  );
}
