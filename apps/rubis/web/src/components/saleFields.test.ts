import { describe, expect, it } from 'vitest';
import { checkSale, NOTHING_YET, saleRequest, type Sale } from './saleFields.ts';

const lamp: Sale = { ...NOTHING_YET, title: 'Lamp', category_id: 'home', price: '10' };
const wrong = (part: Partial<Sale>) => checkSale({ ...lamp, ...part });

describe('a sale', () => {
  it('is valid with a title, a category and a start price', () => {
    expect(checkSale(lamp)).toEqual({});
    expect(Object.keys(checkSale(NOTHING_YET))).toEqual(['title', 'category_id', 'start_price_cents']);
  });
  it('may have a reserve from the start price up', () => {
    expect(wrong({ reserve: '10' })).toEqual({});
    expect(wrong({ reserve: '9.99' }).reserve_price_cents).toContain('below the starting price of $10');
    expect(wrong({ reserve: 'much' }).reserve_price_cents).toContain('amount in dollars');
  });
  it('may have a Buy now price above the start price, from the reserve up', () => {
    expect(wrong({ reserve: '30', buy_now: '30' })).toEqual({});
    expect(wrong({ buy_now: '10.01' })).toEqual({});
    expect(wrong({ buy_now: '10' }).buy_now_price_cents).toContain('$10.01 or more');
    expect(wrong({ reserve: '10', buy_now: '10' }).buy_now_price_cents).toContain('above the starting price');
    expect(wrong({ reserve: '30', buy_now: '29.99' }).buy_now_price_cents).toContain('$30 or more');
  });
  it('has more than one piece only with Buy now', () => {
    expect(wrong({ quantity: 2 }).buy_now_price_cents).toContain('set a Buy now price');
    expect(wrong({ quantity: 2, buy_now: '20' })).toEqual({});
  });
  it('sends only the fields that were filled in', () => {
    expect(saleRequest({ ...lamp, title: ' Lamp ' })).toEqual({
      title: 'Lamp',
      description: '',
      category_id: 'home',
      start_price_cents: 1_000,
      duration_minutes: 1_440,
      quantity: 1,
    });
    expect(saleRequest({ ...lamp, reserve: '20', buy_now: '30', quantity: 3 })).toMatchObject({
      reserve_price_cents: 2_000,
      buy_now_price_cents: 3_000,
      quantity: 3,
    });
  });
});
