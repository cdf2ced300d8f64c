// The fields of an item for sale, with the same validation as on the server.
import { formatMoney, parseMoney } from '@claret/ui/kit';
import type { FieldErrors } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';

const TITLE_MIN: typeof api.LIMITS.title_length_min = 3;
const PRICE_MAX: typeof api.LIMITS.amount_cents_max = 1_000_000_000;

/** in the form's order: the first field with an error gets the focus */
export const SELL_FIELDS = [
  'title',
  'category_id',
  'start_price_cents',
  'duration_minutes',
  'reserve_price_cents',
  'buy_now_price_cents',
  'quantity',
  'description',
] as const;
export type SellField = (typeof SELL_FIELDS)[number];

/** the typed texts; the reserve and the Buy now price may stay empty */
export const NOTHING_YET = {
  title: '',
  category_id: '',
  price: '',
  duration_minutes: 24 * 60,
  reserve: '',
  buy_now: '',
  quantity: 1,
  description: '',
};
export type Sale = typeof NOTHING_YET;

type Read = { cents: number | null; error: string | null };

function readPrice(typed: string): Read {
  const cents = parseMoney(typed);
  if (cents === null) return { cents, error: 'Enter an amount in dollars, like 25 or 12.50.' };
  if (cents < 1 || cents > PRICE_MAX) return { cents: null, error: 'Enter an amount between $0.01 and $10,000,000.' };
  return { cents, error: null };
}

const readOptional = (typed: string): Read => (typed.trim() === '' ? { cents: null, error: null } : readPrice(typed));

export function checkSale(sale: Sale): FieldErrors<SellField> {
  const errors: FieldErrors<SellField> = {};
  const start = readPrice(sale.price);
  const reserve = readOptional(sale.reserve);
  const buyNow = readOptional(sale.buy_now);
  const start_cents = start.cents ?? 0;
  const least_cents = Math.max(start_cents + 1, reserve.cents ?? 0);
  if (sale.title.trim().length < TITLE_MIN) errors.title = `Enter a title of at least ${TITLE_MIN} characters.`;
  if (sale.category_id === '') errors.category_id = 'Choose a category.';
  if (start.error) errors.start_price_cents = start.error;
  if (reserve.error) errors.reserve_price_cents = reserve.error;
  else if (reserve.cents !== null && reserve.cents < start_cents)
    errors.reserve_price_cents = `The reserve can’t be below the starting price of ${formatMoney(start_cents)}.`;
  if (buyNow.error) errors.buy_now_price_cents = buyNow.error;
  else if (buyNow.cents !== null && buyNow.cents < least_cents)
    errors.buy_now_price_cents = `Enter ${formatMoney(least_cents)} or more. It must be above the starting price, and can’t be below the reserve.`;
  if (sale.quantity > 1 && sale.buy_now.trim() === '')
    errors.buy_now_price_cents = 'To sell more than one piece, set a Buy now price. The auction itself has one winner.';
  return errors;
}

/** The request for a valid sale. */
export function saleRequest(sale: Sale): api.SellRequest {
  const reserve_price_cents = readOptional(sale.reserve).cents;
  const buy_now_price_cents = readOptional(sale.buy_now).cents;
  return {
    title: sale.title.trim(),
    description: sale.description.trim(),
    category_id: sale.category_id,
    start_price_cents: readPrice(sale.price).cents ?? 0,
    duration_minutes: sale.duration_minutes,
    quantity: sale.quantity,
    ...(reserve_price_cents === null ? {} : { reserve_price_cents }),
    ...(buy_now_price_cents === null ? {} : { buy_now_price_cents }),
  };
}
