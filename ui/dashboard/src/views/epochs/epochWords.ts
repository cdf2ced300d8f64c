// Epochs in words.
import { formatCount, formatCounted } from '@claret/ui/kit';
import { msWords } from '../../components/figures.ts';
import { shardsWords } from '../../store/epochParts.ts';
import type { ToldEpochs } from '../../store/epochSeries.ts';

type Committed = Pick<ToldEpochs, 'reads' | 'writes'> & { operations: number };

/** "12 writes and 1 read with 3,900 operations committed". */
export function committedWords({ reads, writes, operations }: Committed): string {
  if (reads + writes === 0) return 'Nobody committed';
  const members = [
    ...(writes > 0 ? [formatCounted(writes, 'write', 'writes')] : []),
    ...(reads > 0 ? [formatCounted(reads, 'read', 'reads')] : []),
  ];
  return `${members.join(' and ')} with ${formatCounted(operations, 'operation', 'operations')} committed`;
}

/** "listed in 0.4 ms, held for 1.2 ms, turn of 4.0 ms". */
export function lengthWords({ began_ms, listed_ms, sealed_ms, ended_ms, calledOff }: ToldEpochs): string {
  const turn = ended_ms > sealed_ms || calledOff === 0 ? [`turn of ${msWords(ended_ms - sealed_ms)}`] : [];
  return [`Listed in ${msWords(listed_ms - began_ms)}`, `held for ${msWords(sealed_ms - listed_ms)}`, ...turn].join(', ');
}

/** "Called off: shard 1 was late", "2 called off: shards 0 and 1 were late"; null: none was. */
export function calledOffWords({ epochs, calledOff, late }: Pick<ToldEpochs, 'epochs' | 'calledOff' | 'late'>): string | null {
  if (calledOff === 0) return null;
  const what = epochs === 1 ? 'Called off' : `${formatCount(calledOff)} called off`;
  if (late.length === 0) return what;
  return `${what}: the ${late.length === 1 ? 'list' : 'lists'} of ${shardsWords(late)} ${late.length === 1 ? 'was' : 'were'} late`;
}

/** "3 came back"; null: nobody did. */
export const cameBackWords = (cameBack: number): string | null =>
  cameBack === 0 ? null : `${formatCounted(cameBack, 'member', 'members')} came back, to be gathered again`;
