import { formatCompact, formatCount, formatCounted } from './format/money.ts';
import { LiveValue } from './LiveValue.tsx';

export interface CountProps {
  value: number;
  /** the noun, as `[singular, plural]`: `['follower', 'followers']` */
  of: readonly [string, string];
  /** shows the number alone; the noun stands nearby, and is still announced and shown on hover */
  isBare?: boolean;
  className?: string | undefined;
}

/** A number that may change on the page: abbreviated if it is large, exact on hover and for screen readers. */
export function Count({ value, of: [one, many], isBare, className }: CountProps) {
  const exact = formatCounted(value, one, many);
  const short = formatCompact(value);
  const shown = (
    <>
      <LiveValue value={value}>{short}</LiveValue>
      {!isBare && <> {value === 1 ? one : many}</>}
    </>
  );
  if (!isBare && short === formatCount(value)) return <span className={className}>{shown}</span>;
  return (
    <span className={className} title={exact}>
      <span className="visually-hidden">{exact}</span>
      <span aria-hidden="true">{shown}</span>
    </span>
  );
}
