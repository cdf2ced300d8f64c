// The requests of an auction's page. Opening it is one, whatever the page shows: it reads all its data and counts the view; on the first page of a
// visit it brings also what every page needs. If pointing at a link has read the data already, only the view is left to count.
import { begunWith, type Session } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';
import { get, queries } from './client.ts';
import { API } from './paths.ts';

type Visit = NonNullable<api.AuctionPage['visit']>;

/** How often the page was opened, null if that is not known; undefined: this opening is not counted yet. */
export type Counted = number | null | undefined;

/** the auction by whose page the visit began, until the page is shown */
let begun: { item_id: string; opening: Promise<Counted> } | null = null;

/** For the first page of a visit. Resolves with the session. */
export function beginAtAuction(item_id: string): Promise<Session> {
  const { audience } = queries;
  const answer = get<api.AuctionPage>(API.opened(item_id, true));
  const visit = answer.then((page) => page.visit!);
  const takeInbox = ({ inbox }: Visit) => {
    // Not of one who has logged out since.
    if (inbox && audience === queries.audience) void queries.load(API.inboxUnread, false, async () => inbox);
  };
  visit.then(takeInbox, () => {});
  const session = begunWith(visit);
  // The page learns whose it is before it has something to show.
  const afterSession = (page: api.AuctionPage) =>
    session.then(
      () => page,
      () => page,
    );
  begun = { item_id, opening: read(item_id, () => answer.then(afterSession)) };
  return session;
}

/** Reads the auction's page, unless it has been read just before, and counts a view where that costs no further request. */
export function openAuction(item_id: string): Promise<Counted> {
  const opening = begun?.item_id === item_id ? begun.opening : null;
  begun = null;
  return opening ?? read(item_id, () => get<api.AuctionPage>(API.opened(item_id)));
}

async function read(item_id: string, request: () => Promise<api.AuctionPage>): Promise<Counted> {
  let counted: Counted;
  await queries.load(API.page(item_id), false, async () => {
    const page = await request();
    counted = page.views;
    return page;
  });
  return counted;
}
