import { Pill } from '@claret/ui/kit';
import { Lock, LockOpen } from 'lucide-react';
import type * as api from '../../../server/api.ts';

/** Whether the bids have reached the seller's secret reserve, as a word and an icon; nothing without a reserve. */
export function ReservePill({ reserve }: { reserve: api.Reserve }) {
  if (reserve === 'none') return null;
  const isMet = reserve === 'met';
  const Icon = isMet ? LockOpen : Lock;
  return (
    <Pill tone={isMet ? 'good' : 'warn'} icon={<Icon size={14} strokeWidth={2.5} aria-hidden="true" />}>
      {isMet ? 'Reserve met' : 'Reserve not met'}
    </Pill>
  );
}
