// Rates short enough for a cell of the matrix.
import { formatCompact } from '@claret/ui/kit';

/** `0.4`, `7.3`, `42`, `1,234`, `12.3K`; a rate above 0 and below a tenth is `<0.1`. */
export function rateWords(per_second: number, locale?: string): string {
  if (!(per_second > 0)) return '0';
  if (per_second < 0.1) return `<${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(0.1)}`;
  if (per_second < 9.95) return new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(per_second);
  return formatCompact(Math.round(per_second), locale);
}
