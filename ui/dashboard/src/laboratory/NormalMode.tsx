// Says when the cluster's conditions differ from those it was started with, and offers to restore them.
import { Button } from '@claret/ui/kit';
import { TriangleAlert, Undo2 } from 'lucide-react';
import { useTelemetry, useTimeAxis } from '../time/useTimeAxis.tsx';
import { areSame, shortConditionWords } from './conditions.ts';
import styles from './Laboratory.module.css';
import { useLaboratory } from './useLaboratory.tsx';

export function NormalMode() {
  const conditions = useTelemetry((store) => store.conditions);
  const normal = useTelemetry((store) => store.normalConditions);
  const { closed, spikes, isBusy, switchTo } = useLaboratory();
  const axis = useTimeAxis();
  if (closed !== null || conditions === null || normal === null || areSame(conditions, normal)) return null;
  // A spike that has set its own conditions restores the earlier ones when it ends.
  if (spikes?.running?.conditions) return null;
  const back = () => {
    axis.follow();
    void switchTo(normal);
  };
  return (
    <p className={styles.notNormal} role="status">
      <TriangleAlert size={15} aria-hidden="true" />
      <span>
        The cluster is not in its normal mode: <b>{shortConditionWords(conditions)}</b> instead of {shortConditionWords(normal)}.
      </span>
      <Button size="small" isBusy={isBusy} onClick={back}>
        <Undo2 size={15} aria-hidden="true" /> Back to normal
      </Button>
    </p>
  );
}
