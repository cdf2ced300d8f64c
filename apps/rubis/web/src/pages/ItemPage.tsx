import { formatCounted, formatMoment, formatMoney } from '@claret/ui/kit';
import { AppLink, ProblemState } from '@claret/ui/site';
import { useEffect } from 'react';
import { useParams } from 'react-router';
import type * as api from '../../../server/api.ts';
import { useQuery } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { useAuctionPage } from '../api/useAuctionPage.ts';
import { KnownCatalogue, useCatalogue } from '../api/useCatalogue.ts';
import { standingIn } from '../bidding/bidding.ts';
import { AsItWas } from '../bidding/AsItWas.tsx';
import { BidHistory } from '../bidding/BidHistory.tsx';
import { BidPanel } from '../bidding/BidPanel.tsx';
import { useBid } from '../bidding/useBid.ts';
import { useBuy } from '../buying/useBuy.ts';
import { useFollow, useLiveItem, useStanding } from '../live/live.ts';
import { CommentSection } from '../components/CommentForm.tsx';
import { Comments } from '../components/Comments.tsx';
import { ItemPicture } from '../components/ItemPicture.tsx';
import { SellerCard } from '../components/SellerCard.tsx';
import { PageWaiting } from '../components/Skeletons.tsx';
import { WatchButton } from '../components/WatchButton.tsx';
import { useSession } from '../session.ts';
import styles from './ItemPage.module.css';
import { NotFoundPage } from './NotFoundPage.tsx';

export default function ItemPage() {
  const { id = '' } = useParams();
  return <OpenedPage key={id} id={id} />;
}

function OpenedPage({ id }: { id: string }) {
  const { user } = useSession();
  const { data, problem, views, reload } = useAuctionPage(id);
  if (data) {
    return (
      <KnownCatalogue value={data.catalogue}>
        <Auction key={user?.id ?? ''} page={data} views={views} reload={reload} />
      </KnownCatalogue>
    );
  }
  if (problem?.code === 'unknown_item') return <NotFoundPage title="Auction not found">The address may be mistyped.</NotFoundPage>;
  return (
    <>
      <title>Auction · Claret Auctions</title>
      {problem ? <ProblemState heading="h1" problem={problem} onRetry={reload} /> : <PageWaiting label="Loading auction" />}
    </>
  );
}

function Auction({ page, views, reload }: { page: api.AuctionPage; views: number | null; reload: () => void }) {
  const { item, viewer } = page;
  useFollow([item.id]);
  const live = useLiveItem(page.live);
  const said = useStanding(item.id);
  const { user } = useSession();
  const { catalogue, category, region } = useCatalogue();
  const { rating, comments } = useSeller(page);
  const bidding = useBid(live, user?.id ?? null);
  const buying = useBuy(item.id, user?.id ?? null, reload);
  const standing = standingIn(live, item.seller.id, user?.id ?? null, said?.standing ?? viewer?.standing ?? null, viewer?.bought_quantity);
  const my_bid_cents =
    live.top_bids.find(({ bidder }) => bidder.id === user?.id)?.amount_cents ?? said?.my_bid_cents ?? viewer?.my_bid_cents ?? null;
  const my_max_cents = said?.my_max_cents ?? viewer?.my_max_cents ?? null;
  useReadAgainWhenOver(live.status, page.live.status, reload);
  return (
    <>
      <title>{`${formatMoney(live.price_cents)} · ${item.title} · Claret Auctions`}</title>
      <article className={styles.page}>
        <div className={styles.picture}>
          <ItemPicture item={item} label={`Illustration for ${item.title}`} />
        </div>
        <div className={styles.side}>
          <header>
            <p className={styles.crumbs}>
              {catalogue && (
                <>
                  <AppLink to={PAGE.browse({ category: item.category_id })}>{category(item.category_id)}</AppLink>
                  <span aria-hidden="true">·</span>
                  <AppLink to={PAGE.browse({ region: item.region_id })}>{region(item.region_id)}</AppLink>
                </>
              )}
            </p>
            <h1 dir="auto">{item.title}</h1>
            {(live.status === 'open' || viewer?.watching) && (
              <div className={styles.watch}>
                <WatchButton
                  item_id={item.id}
                  title={item.title}
                  watchers={live.watchers}
                  isWatching={viewer?.watching ?? false}
                  onChange={reload}
                />
              </div>
            )}
          </header>
          <BidPanel
            item={item}
            live={live}
            standing={standing}
            my_bid_cents={my_bid_cents}
            my_max_cents={my_max_cents}
            bought_quantity={viewer?.bought_quantity ?? 0}
            bidding={bidding}
            buying={buying}
          />
          <CommentSection item={item} live={live} viewer={viewer} onStored={reload} />
          <SellerCard seller={item.seller} region={region(item.region_id)} rating={rating} />
        </div>
        <div className={styles.rest}>
          <Description item={item} live={live} views={views} />
          <section aria-labelledby="bids">
            <h2 id="bids">Bids</h2>
            <BidHistory live={live} state={bidding.state} />
          </section>
          {live.status === 'closed' && live.closed_at_ms !== null && (
            <AsItWas item_id={item.id} opened_at_ms={item.opened_at_ms} ended_at_ms={live.closed_at_ms} />
          )}
          {comments.length > 0 && (
            <section aria-labelledby="comments">
              <h2 id="comments">What buyers said</h2>
              <Comments comments={comments} empty="" />
            </section>
          )}
        </div>
      </article>
    </>
  );
}

function Description({ item, live, views }: { item: api.ItemView['item']; live: api.LiveItem; views: number | null }) {
  return (
    <section aria-labelledby="description">
      <h2 id="description">About this item</h2>
      <p className={styles.description} dir="auto">
        {item.description || 'The seller hasn’t written a description.'}
      </p>
      <p className={styles.about}>
        <span>Opened {formatMoment(item.opened_at_ms)}</span>
        <span>Started at {formatMoney(item.start_price_cents)}</span>
        {item.quantity > 1 && <span>{item.quantity} pieces</span>}
        <span className={styles.views}>{views !== null && formatCounted(views, 'view', 'views')}</span>
      </p>
      {live.status === 'open' && live.reserve !== 'none' && (
        <p className={styles.about}>This auction has a reserve: a secret minimum price. If the bids don’t reach it, nobody wins.</p>
      )}
      {live.status === 'open' && item.quantity > 1 && (
        <p className={styles.about}>
          You can buy pieces right away while they last. The highest bidder gets one piece, if any are left at the end.
        </p>
      )}
    </section>
  );
}

/** The seller's rating, null while unknown, and what was said of them about this sale. */
function useSeller({ item, seller }: api.AuctionPage): { rating: api.RatingSummary | null; comments: readonly api.CommentView[] } {
  const { data } = useQuery<api.UserView>(seller ? null : API.user(item.seller.id));
  const { rating = null, comments = [] } = seller ?? data ?? {};
  return { rating, comments: comments.filter(({ item_id }) => item_id === item.id) };
}

/** The end of an auction changes who may comment on whom, so the page is read again. */
function useReadAgainWhenOver(now: api.ItemStatus, read: api.ItemStatus, reload: () => void): void {
  useEffect(() => {
    if (now === 'closed' && read === 'open') reload();
  }, [now, read, reload]);
}
