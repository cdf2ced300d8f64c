// Amounts are whole units of the currency (the auctions count in whole dollars); Intl writes them.

const DEFAULT_CURRENCY = 'USD';
const formats = new Map<string, Intl.NumberFormat>();

function formatFor(locale: string | undefined, currency: string): Intl.NumberFormat {
  const name = `${locale ?? ''}|${currency}`;
  let format = formats.get(name);
  if (!format) {
    format = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 0 });
    formats.set(name, format);
  }
  return format;
}

/** `1200` → `$1,200`. */
export function formatMoney(amount: number, locale?: string, currency = DEFAULT_CURRENCY): string {
  return formatFor(locale, currency).format(amount);
}

/** `12345` → `12,345`. */
export function formatCount(count: number, locale?: string): string {
  return new Intl.NumberFormat(locale).format(count);
}

/** `(1, 'bid', 'bids')` → `1 bid`; `(1200, 'bid', 'bids')` → `1,200 bids`. */
export function formatCounted(count: number, one: string, many: string, locale?: string): string {
  return `${formatCount(count, locale)} ${count === 1 ? one : many}`;
}

/**
 * What a person typed as an amount: digits, with an optional currency sign, spaces and thousands separators.
 * Null for anything else, fractions and signs included.
 */
export function parseMoney(typed: string): number | null {
  const plain = typed.trim().replace(/^\$\s*/, '').replace(/\.0+$/, '');
  if (!/^(\d+|\d{1,3}([,\s]\d{3})+)$/.test(plain)) return null;
  const amount = Number(plain.replace(/[,\s]/g, ''));
  return Number.isSafeInteger(amount) ? amount : null;
}
