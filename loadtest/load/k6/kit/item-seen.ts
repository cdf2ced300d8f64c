// The parts of an auction's page that visitors react to. Pure: no k6 here.

export interface ItemSeen {
  id: string;
  seller_id: string;
  open: boolean;
  price_cents: number;
  min_next_bid_cents: number;
  bid_count: number;
  /** pieces that can be bought now; 0 if none */
  left: number;
}

const ID = /"item":\{"id":"([^"]+)"/;
const SELLER = /"seller":\{"id":"([^"]+)"/;
const STATUS = /"status":"(\w+)"/;
const PRICE = /"price_cents":(\d+)/;
const LEAST = /"min_next_bid_cents":(\d+)/;
const BIDS = /"bid_count":(\d+)/;
const LEFT = /"buy_now":\{[^}]*"left":(-?\d+)/;

/**
 * Extracts values from the JSON of an auction's page: parsing all of it would cost k6 as much as the request itself. People's texts are in the
 * parts before and after `live`, with a backslash before each quote; `live` is the site's own. Null: it is no auction's page.
 */
export function itemSeen(view: string): ItemSeen | null {
  const begins = view.indexOf('"live":{');
  if (begins < 0) return null;
  const [item, live] = [view.slice(0, begins), view.slice(begins)];
  const found = [ID.exec(item), SELLER.exec(item), STATUS.exec(live), PRICE.exec(live), LEAST.exec(live), BIDS.exec(live)].map(
    (match) => match?.[1],
  );
  const [id, seller_id, status, price, least, bids] = found;
  if (id === undefined || seller_id === undefined || price === undefined || least === undefined || bids === undefined) return null;
  return {
    id,
    seller_id,
    open: status === 'open',
    price_cents: Number(price),
    min_next_bid_cents: Number(least),
    bid_count: Number(bids),
    left: Number(LEFT.exec(live)?.[1] ?? 0),
  };
}
