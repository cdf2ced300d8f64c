import { Button, Countdown, EmptyState, formatCounted, formatMoney, LiveValue } from '@claret/ui/kit';
import { AppLink, ProblemState } from '@claret/ui/site';
import { ArrowLeft, Gavel } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useParams } from 'react-router';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { BidTable } from '../bidding/BidTable.tsx';
import { mergeBids } from '../bidding/mergeBids.ts';
import { ReservePill } from '../bidding/ReservePill.tsx';
import { useFollow, useLiveItem } from '../live/live.ts';
import { ListWaiting } from '../components/Skeletons.tsx';
import styles from './BidsPage.module.css';
import { NotFoundPage } from './NotFoundPage.tsx';

const READ_AGAIN_MS = 5_000;
const SHOWN_MAX: typeof api.LIMITS.bid_history_max = 50;

export default function BidsPage() {
  const { id = '' } = useParams();
  const { data, problem, reload } = useQuery<api.BidHistory>(API.bids(id));
  const view = useQuery<api.ItemView>(API.item(id));
  if (data && view.data) return <History key={id} history={data} view={view.data} reload={reload} />;
  const met = problem ?? view.problem;
  if (met?.code === 'unknown_item') return <NotFoundPage title="Auction not found">The address may be mistyped.</NotFoundPage>;
  const again = () => void Promise.all([reload(), view.reload()]);
  return (
    <>
      <title>Bids · Claret Auctions</title>
      {met ? <ProblemState heading="h1" problem={met} onRetry={again} /> : <ListWaiting label="Loading bids" />}
    </>
  );
}

interface HistoryProps {
  history: api.BidHistory;
  view: api.ItemView;
  reload(): Promise<void>;
}

/** The highest bids; new ones are added live. */
function History({ history, view, reload }: HistoryProps) {
  useFollow([history.item_id]);
  const live = useLiveItem(view.live);
  const known = useRef(new Set([...history.bids, ...view.live.top_bids].map(({ id }) => id)));
  const bids = useMemo(() => mergeBids(live.top_bids, history.bids), [live.top_bids, history.bids]);
  useReadAgain(live.bid_count > history.bid_count, reload);
  return (
    <div className={styles.page}>
      <title>{`Bids · ${history.title} · Claret Auctions`}</title>
      <p>
        <AppLink to={PAGE.item(history.item_id)} className={styles.back}>
          <ArrowLeft size={16} aria-hidden="true" />
          <bdi>{history.title}</bdi>
        </AppLink>
      </p>
      <div className={styles.head}>
        <h1>{live.bid_count === 0 ? 'Bids' : formatCounted(live.bid_count, 'bid', 'bids')}</h1>
        <p className={styles.figures}>
          <ReservePill reserve={live.reserve} />
          <LiveValue value={live.price_cents} className={styles.price}>
            {formatMoney(live.price_cents)}
          </LiveValue>
          <Countdown end_ms={live.closes_at_ms} isOver={live.status === 'closed'} />
        </p>
      </div>
      {bids.length === 0 ? (
        <EmptyState
          icon={<Gavel size={26} />}
          title="No bids yet"
          actions={
            <Button asChild look="primary">
              <AppLink to={live.status === 'open' ? PAGE.todo(history.item_id, 'bid') : PAGE.item(history.item_id)}>
                {live.status === 'open' ? 'Place the first bid' : 'Back to the auction'}
              </AppLink>
            </Button>
          }
        >
          {live.status === 'open' ? 'The first bid takes the lead.' : 'The auction ended without any bids.'}
        </EmptyState>
      ) : (
        <BidTable rows={bids} isNew={(bid) => !known.current.has(bid.id)} />
      )}
      {bids.length >= SHOWN_MAX && <p className={styles.note}>Only the highest bids are shown. Secret maximums stay hidden.</p>}
    </div>
  );
}

/** The stream carries the highest few; the others are read again after new bids, but not after each of them. */
function useReadAgain(isBehind: boolean, reload: () => Promise<void>): void {
  const read = useEffectEvent(() => void reload());
  useEffect(() => {
    if (!isBehind) return;
    const timer = window.setInterval(read, READ_AGAIN_MS);
    return () => window.clearInterval(timer);
  }, [isBehind]);
}
