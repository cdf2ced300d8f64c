// The auctions' tables, and a bid as one call.
//
// What bids change often has a row that fits on its page again (fillfactor), and no index on what changes, so that an update is a short one
// (HOT). Views have a table of their own: counting them does not touch the row that bids lock.
export const SCHEMA = `
CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  nickname text NOT NULL,
  region_id text NOT NULL,
  credentials text,
  created_at_ms bigint NOT NULL
);
CREATE UNIQUE INDEX ON users (lower(nickname));

CREATE TABLE sessions (
  token_hash text PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users,
  expires_at_ms bigint NOT NULL
);

CREATE TABLE items (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL,
  description text NOT NULL,
  category_id text NOT NULL,
  region_id text NOT NULL,
  seller_id bigint NOT NULL REFERENCES users,
  start_price_cents integer NOT NULL,
  opened_at_ms bigint NOT NULL,
  closes_at_ms bigint NOT NULL,
  price_cents integer NOT NULL,
  min_next_bid_cents integer NOT NULL,
  bid_count integer NOT NULL DEFAULT 0,
  leader_id bigint
) WITH (fillfactor = 50);
CREATE INDEX ON items (seller_id, closes_at_ms);

CREATE TABLE item_views (
  item_id bigint PRIMARY KEY REFERENCES items,
  views bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE bids (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  item_id bigint NOT NULL REFERENCES items,
  bidder_id bigint NOT NULL REFERENCES users,
  amount_cents integer NOT NULL,
  placed_at_ms bigint NOT NULL,
  request text UNIQUE,
  UNIQUE (item_id, amount_cents)
);

-- Each person's highest bid on each item, and since when it is outbid.
CREATE TABLE bidders (
  item_id bigint NOT NULL,
  user_id bigint NOT NULL,
  closes_at_ms bigint NOT NULL,
  bid_id bigint NOT NULL,
  amount_cents integer NOT NULL,
  outbid_at_ms bigint,
  PRIMARY KEY (item_id, user_id)
) WITH (fillfactor = 50);
CREATE INDEX ON bidders (user_id, closes_at_ms);

-- The item is read twice: first without its lock, so that a bid that is too low, as most are in a crowd, does not wait (the minimum only
-- rises); then with it. Whatever is read after the lock is newer than the wait for it (read committed), or the call fails with 40001 and is
-- repeated (serializable). Requests are looked up only for refused bids, since a request that is sent again is one: its own bid has raised the
-- minimum above it. So an accepted bid reads no index that other items' bids write, which serializable transactions would be aborted for.
CREATE FUNCTION place_bid(
  the_item bigint, person bigint, nickname text, cents integer, next_minimum integer, the_request text,
  OUT refused text, OUT bid_id bigint, OUT minimum integer
) LANGUAGE plpgsql AS $$
DECLARE
  item items;
  now_ms bigint;
BEGIN
  FOR reading IN 1..2 LOOP
    IF reading = 1 THEN SELECT * INTO item FROM items WHERE id = the_item;
    ELSE SELECT * INTO item FROM items WHERE id = the_item FOR NO KEY UPDATE;
    END IF;
    now_ms := floor(extract(epoch FROM clock_timestamp()) * 1000);
    minimum := item.min_next_bid_cents;
    refused := CASE
      WHEN item.id IS NULL THEN 'unknown_item'
      WHEN item.seller_id = person THEN 'own_item'
      WHEN now_ms >= item.closes_at_ms THEN 'auction_closed'
      WHEN cents < minimum THEN 'amount_below_minimum'
    END;
    IF refused IS NOT NULL THEN
      SELECT id INTO bid_id FROM bids WHERE request = the_request;
      IF FOUND THEN refused := NULL; END IF;
      RETURN;
    END IF;
  END LOOP;

  INSERT INTO bids (item_id, bidder_id, amount_cents, placed_at_ms, request)
    VALUES (the_item, person, cents, now_ms, the_request) RETURNING id INTO bid_id;
  UPDATE items SET price_cents = cents, min_next_bid_cents = next_minimum, bid_count = item.bid_count + 1, leader_id = person
    WHERE id = the_item;
  IF item.leader_id <> person THEN
    UPDATE bidders SET outbid_at_ms = now_ms WHERE item_id = the_item AND user_id = item.leader_id;
  END IF;
  INSERT INTO bidders AS b (item_id, user_id, closes_at_ms, bid_id, amount_cents)
    VALUES (the_item, person, item.closes_at_ms, place_bid.bid_id, cents)
    ON CONFLICT (item_id, user_id) DO UPDATE SET bid_id = excluded.bid_id, amount_cents = excluded.amount_cents, outbid_at_ms = NULL;
  PERFORM pg_notify('bids',
    concat_ws(':', the_item, item.bid_count + 1, next_minimum, place_bid.bid_id, person, nickname, cents, now_ms));
END $$;
`;

const CARD = `i.id, i.title, i.category_id, i.region_id, i.seller_id, s.nickname AS seller_nickname, i.start_price_cents, i.opened_at_ms,
  i.closes_at_ms, i.price_cents, i.min_next_bid_cents, i.bid_count, i.leader_id, l.nickname AS leader_nickname`;
const PEOPLE = 'JOIN users s ON s.id = i.seller_id LEFT JOIN users l ON l.id = i.leader_id';

export const READ_AUCTION = `
  SELECT ${CARD}, i.description, mine.amount_cents AS my_bid_cents, bids.bids
  FROM items i ${PEOPLE}
  LEFT JOIN bidders mine ON mine.item_id = i.id AND mine.user_id = $3
  CROSS JOIN LATERAL (
    SELECT coalesce(json_agg(concat_ws(':', b.id, b.bidder_id, u.nickname, b.amount_cents, b.placed_at_ms) ORDER BY b.amount_cents DESC), '[]')
      AS bids
    FROM (SELECT * FROM bids WHERE item_id = i.id ORDER BY amount_cents DESC LIMIT $2) b JOIN users u ON u.id = b.bidder_id
  ) bids
  WHERE i.id = $1`;

export const READ_SELLING = `
  SELECT ${CARD} FROM items i ${PEOPLE} WHERE i.seller_id = $1 AND i.closes_at_ms > $2 ORDER BY i.closes_at_ms LIMIT $3`;

export const READ_MINE = `
  WITH mine AS (
    (SELECT item_id, bid_id, outbid_at_ms FROM bidders WHERE user_id = $1 AND closes_at_ms > $2 ORDER BY closes_at_ms LIMIT $3)
    UNION ALL
    (SELECT item_id, bid_id, outbid_at_ms FROM bidders WHERE user_id = $1 AND closes_at_ms <= $2 ORDER BY closes_at_ms DESC LIMIT $3)
    UNION ALL
    (SELECT id, NULL, NULL FROM items WHERE seller_id = $1 AND closes_at_ms <= $2 ORDER BY closes_at_ms DESC LIMIT $3)
  )
  SELECT ${CARD}, mine.bid_id, mine.outbid_at_ms FROM mine JOIN items i ON i.id = mine.item_id ${PEOPLE}`;

export const OPEN_AUCTION = `
  WITH item AS (
    INSERT INTO items (title, description, category_id, region_id, seller_id, start_price_cents, opened_at_ms, closes_at_ms, price_cents,
      min_next_bid_cents)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $6, $6) RETURNING id
  )
  INSERT INTO item_views (item_id) SELECT id FROM item RETURNING item_id AS id`;
