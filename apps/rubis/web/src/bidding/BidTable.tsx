import { Avatar, classes, formatMoment, formatMoneyInFull, formatRelative, Pill, Table, useServerNow } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import { useSession } from '../session.ts';
import styles from './BidHistory.module.css';

/** A bid as a row; `isPending`: sent, and not yet accepted. */
export type BidRow = api.BidView & { isPending?: boolean };

export interface BidTableProps {
  /** highest first */
  rows: readonly BidRow[];
  isNew(bid: BidRow): boolean;
}

export function BidTable({ rows, isNew }: BidTableProps) {
  const { user } = useSession();
  const now_ms = useServerNow();
  const first = rows.find((bid) => !bid.isPending);
  return (
    <div>
      <p className={styles.note}>Amounts rise automatically, up to a bidder’s secret maximum.</p>
      <Table
        caption="Bids, highest first"
        rows={rows}
        rowKey={(bid) => bid.id}
        isNew={(bid) => !bid.isPending && isNew(bid)}
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
              <span className={classes('figures', styles.amount, bid.isPending ? styles.pending : bid === first && styles.lead)}>
                {formatMoneyInFull(bid.amount_cents)}
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
                <time className={styles.when} dateTime={new Date(bid.placed_at_ms).toISOString()} title={formatMoment(bid.placed_at_ms)}>
                  {formatRelative(Math.min(bid.placed_at_ms, now_ms), now_ms, undefined, 'narrow')}
                </time>
              ),
          },
        ]}
      />
    </div>
  );
}
