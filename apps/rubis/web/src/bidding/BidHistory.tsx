import { Avatar, Button, classes, formatMoney, formatRelative, Pill, Table, useServerNow } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { useRef, useState } from 'react';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/door.ts';
import { API, PAGE } from '../api/paths.ts';
import { useSession } from '../session.ts';
import styles from './BidHistory.module.css';
import type { BidState } from './useBid.ts';

type Row = api.BidView & { isPending?: boolean };

/** The highest bids first; new ones get a soft highlight, one's own is on top while it is on its way. */
export function BidHistory({ live, state }: { live: api.LiveItem; state: BidState }) {
  const { user } = useSession();
  const now_ms = useServerNow();
  const [isWhole, setWhole] = useState(false);
  const whole = useQuery<api.BidHistory>(isWhole ? API.bids(live.id) : null);
  const known = useRef(new Set(live.top_bids.map((bid) => bid.id)));
  const bids = mergeBids(live.top_bids, whole.data?.bids ?? []);
  const pending: Row[] =
    state.step === 'placing' && user
      ? [{ id: 'pending', amount_cents: state.amount_cents, bidder: user, placed_at_ms: now_ms, isPending: true }]
      : [];
  const rows: Row[] = [...pending, ...bids];
  if (rows.length === 0) return <p className={styles.none}>Nobody has bid yet. The first bid leads.</p>;
  return (
    <>
      <Table
        caption="Bids, highest first"
        rows={rows}
        rowKey={(bid) => bid.id}
        isNew={(bid) => !bid.isPending && !known.current.has(bid.id) && !whole.data?.bids.some(({ id }) => id === bid.id)}
        columns={[
          {
            header: 'Bidder',
            cell: (bid) => (
              <AppLink to={PAGE.user(bid.bidder.id)} className={classes(styles.who, bid.isPending && styles.pending)}>
                <Avatar name={bid.bidder.nickname} size={24} />
                <span className={classes(bid.bidder.id === user?.id && styles.you)}>
                  {bid.bidder.id === user?.id ? 'You' : bid.bidder.nickname}
                </span>
              </AppLink>
            ),
          },
          {
            header: 'Amount',
            isNumber: true,
            cell: (bid) => (
              <span className={classes('figures', bid.isPending ? styles.pending : bid === bids[0] && styles.lead)}>
                {formatMoney(bid.amount_cents)}
              </span>
            ),
          },
          {
            header: 'When',
            isNumber: true,
            cell: (bid) =>
              bid.isPending ? (
                <Pill>placing…</Pill>
              ) : (
                <span className={styles.when}>
                  {formatRelative(Math.min(bid.placed_at_ms, now_ms), now_ms, undefined, 'narrow')}
                </span>
              ),
          },
        ]}
      />
      {!isWhole && live.bid_count > bids.length && (
        <div className={styles.more}>
          <Button size="small" onClick={() => setWhole(true)}>
            Show more bids
          </Button>
        </div>
      )}
      {whole.data && live.bid_count > bids.length && <p className={styles.more}>The {bids.length} highest are shown.</p>}
      {whole.problem && (
        <p className={styles.more} role="alert">
          {whole.problem.message}
        </p>
      )}
    </>
  );
}

/** Both lists as one, highest first, each bid once; of equal bids the earlier stands first. */
function mergeBids(live: readonly api.BidView[], read: readonly api.BidView[]): api.BidView[] {
  const liveIds = new Set(live.map((bid) => bid.id));
  return [...live, ...read.filter((bid) => !liveIds.has(bid.id))].sort(
    (one, other) => other.amount_cents - one.amount_cents || one.placed_at_ms - other.placed_at_ms,
  );
}
