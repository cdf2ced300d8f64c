// Amounts are integer cents; Intl formats them.

const DEFAULT_CURRENCY = 'USD';
const formats = new Map<string, Intl.NumberFormat>();

function formatFor(locale: string | undefined, currency: string, digits: number): Intl.NumberFormat {
  const name = `${locale ?? ''}|${currency}|${digits}`;
  let format = formats.get(name);
  if (!format) {
    format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formats.set(name, format);
  }
  return format;
}

/** `120000` → `$1,200`; `1250` → `$12.50`: cents only if there are any */
export function formatMoney(amount_cents: number, locale?: string, currency = DEFAULT_CURRENCY): string {
  return formatFor(locale, currency, amount_cents % 100 === 0 ? 0 : 2).format(amount_cents / 100);
}

/** `120000` → `$1,200.00`: for columns of amounts with and without cents */
export function formatMoneyInFull(amount_cents: number, locale?: string, currency = DEFAULT_CURRENCY): string {
  return formatFor(locale, currency, 2).format(amount_cents / 100);
}

/** `12345` → `12,345`. */
export function formatCount(count: number, locale?: string): string {
  return new Intl.NumberFormat(locale).format(count);
}

const EXACT_BELOW = 10_000;

/** `9,876`; abbreviated from ten thousand on: `12K`, `1.3M`, never rounded up */
export function formatCompact(count: number, locale?: string): string {
  if (Math.abs(count) < EXACT_BELOW) return formatCount(count, locale);
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1, roundingMode: 'trunc' }).format(count);
}

/** `(1, 'bid', 'bids')` → `1 bid`; `(1200, 'bid', 'bids')` → `1,200 bids`. */
export function formatCounted(count: number, one: string, many: string, locale?: string): string {
  return `${formatCount(count, locale)} ${count === 1 ? one : many}`;
}

const PLAIN_AMOUNT = /^(\d+|\d{1,3}(?:[,\s]\d{3})+)(?:\.(\d{1,2}))?$/;

/**
 * The cents of an amount as a person types it: digits, possibly with a currency sign, thousands separators and up to two decimals. Infinity
 * if it is too large to count in cents; null for anything else, signs and exponents included.
 */
export function parseMoney(typed: string): number | null {
  const match = PLAIN_AMOUNT.exec(typed.trim().replace(/^\$\s*/, ''));
  if (!match) return null;
  const cents = Number(match[1]!.replace(/[,\s]/g, '')) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  return Number.isSafeInteger(cents) ? cents : Infinity;
}

/** `120000` → `1200`; `1250` → `12.50`: the input format of a field */
export function typedMoney(amount_cents: number): string {
  return (amount_cents / 100).toFixed(amount_cents % 100 === 0 ? 0 : 2);
}
