// One switch for each condition. The pressed one is what the cluster reports to be in force.
import { classes } from '@claret/ui/kit';
import { CONDITIONS, completed, type Condition, type ConditionName, type Conditions } from '@claret/client/telemetry';
import { useId } from 'react';
import type { GlossaryWord } from '../components/glossary.ts';
import { Term } from '../components/Term.tsx';
import { useTelemetry, useTimeAxis } from '../time/useTimeAxis.tsx';
import styles from './Laboratory.module.css';
import { useLaboratory } from './useLaboratory.tsx';

const NAMES: Record<ConditionName, { name: string; word: GlossaryWord }> = {
  locks: { name: 'Locks', word: 'commuting locks' },
  phasing: { name: 'Phasing', word: 'phasing' },
  combining: { name: 'Combining', word: 'combining' },
  warranties: { name: 'Warranties', word: 'warranty' },
};

export function ConditionSwitches() {
  const conditions = useTelemetry((store) => store.conditions);
  if (conditions === null) return null;
  return (
    <>
      {CONDITIONS.map((condition) => (
        <Switch key={condition.name} condition={condition} conditions={completed(conditions)} />
      ))}
    </>
  );
}

function Switch({ condition, conditions }: { condition: Condition; conditions: Required<Conditions> }) {
  const { closed, isBusy, switchTo } = useLaboratory();
  const axis = useTimeAxis();
  const label = useId();
  const named = NAMES[condition.name];
  const isShut = closed !== null || isBusy;
  const isInForce = (value: string | boolean) => conditions[condition.name] === value;
  const choose = (value: string | boolean) => {
    axis.follow();
    void switchTo({ ...conditions, [condition.name]: value });
  };
  return (
    <div className={styles.setting}>
      <span className={styles.label} id={label}>
        <Term word={named.word}>{named.name}</Term>
      </span>
      <div className={styles.choices} role="group" aria-labelledby={label}>
        {condition.values.map((choice) => (
          <button
            key={choice.label}
            type="button"
            className={classes(styles.choice, isInForce(choice.value) && styles.inForce)}
            aria-pressed={isInForce(choice.value)}
            aria-disabled={isShut}
            title={choice.meaning}
            onClick={() => !isShut && !isInForce(choice.value) && choose(choice.value)}
          >
            {choice.label}
          </button>
        ))}
      </div>
      <p className={styles.about}>{condition.values.find(({ value }) => isInForce(value))?.meaning}</p>
    </div>
  );
}
