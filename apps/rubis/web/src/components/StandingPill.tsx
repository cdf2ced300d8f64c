import { Pill, type PillProps } from '@claret/ui/kit';
import { Check, CircleX, Crown, Tag, TriangleAlert } from 'lucide-react';
import type { StandingName } from '../../../server/api.ts';

const LOOKS: Record<StandingName, { tone: PillProps['tone']; label: string; Icon: typeof Check }> = {
  leading: { tone: 'good', label: 'Leading', Icon: Check },
  outbid: { tone: 'warn', label: 'Outbid', Icon: TriangleAlert },
  won: { tone: 'good', label: 'Won', Icon: Crown },
  lost: { tone: 'plain', label: 'Lost', Icon: CircleX },
  bought: { tone: 'good', label: 'Bought', Icon: Check },
  selling: { tone: 'accent', label: 'Your auction', Icon: Tag },
  sold: { tone: 'good', label: 'Sold', Icon: Check },
  unsold: { tone: 'plain', label: 'Not sold', Icon: CircleX },
};

/** A standing in an auction, as a word and an icon. */
export function StandingPill({ standing }: { standing: StandingName }) {
  const { tone, label, Icon } = LOOKS[standing];
  return (
    <Pill tone={tone} icon={<Icon size={14} strokeWidth={2.5} aria-hidden="true" />}>
      {label}
    </Pill>
  );
}
