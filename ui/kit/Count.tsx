import { formatCompact, formatCount, formatCounted } from './format/money.ts';
import { LiveValue } from './LiveValue.tsx';

export interface CountProps {
  value: number;
  /** What is counted, as `[one, many]`: `['follower', 'followers']`. */
  of: readonly [string, string];
  /** The number alone; what is counted stands nearby, and is still said and shown on hover. */
  isBare?: boolean;
  className?: string | undefined;
}

/** A number of things that may change while one looks: short where it is large, exact on hover and for listening. */
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
