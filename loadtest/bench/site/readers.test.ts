import { expect, it } from 'vitest';
import { priceIn, Reader, type PriceTold } from './readers.ts';

const event = (id: string, price_cents: number) =>
  `id: 5\nevent: item\ndata: {"server_time_ms":1,"item":{"id":"${id}","status":"open","price_cents":${price_cents},"bid_count":2,` +
  `"min_next_bid_cents":${price_cents + 5},"top_bids":[{"id":"b1","amount_cents":7}],"buy_now":null}}\n\n`;

it('a price is read from the data of an event', () => {
  expect(priceIn(event('i1', 120))).toEqual({ item_id: 'i1', price_cents: 120, min_next_bid_cents: 125 });
});

it('a bid is seen with its price or a higher one, of its auction, however the stream is cut', () => {
  const heard: PriceTold[] = [];
  const reader = new Reader((told) => heard.push(told));
  reader.expect('i1', 100, 1_000);
  reader.expect('i1', 150, 1_000);
  reader.feed(`retry: 1\n\nevent: hello\ndata: {"items":["i1"]}\n\n${event('i2', 500)}`, 1_010);
  expect([reader.lagsMs, reader.unseen]).toEqual([[], 2]);
  const text = event('i1', 120);
  for (const letter of text) reader.feed(letter, 1_030);
  expect([reader.lagsMs, reader.unseen]).toEqual([[30], 1]);
  reader.feed(event('i1', 160), 1_050);
  expect([reader.lagsMs, reader.unseen, reader.events]).toEqual([[30, 50], 0, 4]);
  expect(heard.map(({ price_cents }) => price_cents)).toEqual([500, 120, 160]);
  // It had seen a higher price before the answer came.
  reader.expect('i1', 155, 2_000);
  expect(reader.lagsMs).toEqual([30, 50, 0]);
  reader.reset();
  expect([reader.lagsMs, reader.events]).toEqual([[], 0]);
});
