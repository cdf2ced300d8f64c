import { formatCounted } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { useRef } from 'react';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { useSession } from '../session.ts';
import styles from './BidHistory.module.css';
import { BidTable, type BidRow } from './BidTable.tsx';
import type { BidState } from './useBid.ts';

/** The highest bids, live; the viewer's own pending bid is on top. All bids are on a page of their own. */
export function BidHistory({ live, state }: { live: api.LiveItem; state: BidState }) {
  const { user } = useSession();
  const known = useRef(new Set(live.top_bids.map((bid) => bid.id)));
  const pending: BidRow[] =
    state.step === 'placing' && user
      ? [{ id: 'pending', amount_cents: state.amount_cents, bidder: user, placed_at_ms: 0, isPending: true }]
      : [];
  const rows = [...pending, ...live.top_bids];
  if (rows.length === 0)
    return <p className={styles.none}>{live.status === 'open' ? 'No bids yet. The first bid takes the lead.' : 'No bids.'}</p>;
  return (
    <>
      <BidTable rows={rows} isNew={(bid) => !known.current.has(bid.id)} />
      {live.bid_count > live.top_bids.length && (
        <p className={styles.more}>
          <AppLink to={PAGE.bids(live.id)}>See all {formatCounted(live.bid_count, 'bid', 'bids')}</AppLink>
        </p>
      )}
    </>
  );
}
