// Whether natives pass transactions that have not voted, or wait for them.
import { classes } from '@claret/ui/kit';
import { Term } from '../components/Term.tsx';
import { useTelemetry, useTimeAxis } from '../time/useTimeAxis.tsx';
import styles from './Laboratory.module.css';
import { useLaboratory } from './useLaboratory.tsx';

const CHOICES = [
  {
    value: 'pass',
    label: 'Pass',
    about: 'One that changes what a transaction has read ends that transaction before its vote, and it starts over.',
  },
  {
    value: 'wait',
    label: 'Wait',
    about: 'One that changes what a transaction has read waits until that transaction has ended: fewer retries, slower natives.',
  },
] as const;

export function NativesSwitch() {
  const conditions = useTelemetry((store) => store.conditions);
  const { closed, isBusy, switchTo } = useLaboratory();
  const axis = useTimeAxis();
  if (conditions === null) return null;
  const { natives = 'pass' } = conditions;
  const isShut = closed !== null || isBusy;
  const choose = (value: (typeof CHOICES)[number]['value']) => {
    axis.follow();
    void switchTo({ ...conditions, natives: value });
  };
  return (
    <div className={classes(styles.further, styles.natives)}>
      <span className={styles.label} id="natives">
        <Term word="native">Natives</Term>
      </span>
      <div className={styles.ways} role="group" aria-labelledby="natives">
        {CHOICES.map(({ value, label, about }) => (
          <button
            key={value}
            type="button"
            className={classes(styles.way, value === natives && styles.inForce)}
            aria-pressed={value === natives}
            aria-disabled={isShut}
            title={about}
            onClick={() => !isShut && value !== natives && choose(value)}
          >
            {label}
          </button>
        ))}
      </div>
      <p className={styles.about}>{aboutWords(conditions.locks === 'none', natives)}</p>
    </div>
  );
}

function aboutWords(isWithoutLocks: boolean, natives: 'pass' | 'wait'): string {
  if (isWithoutLocks) return 'Without locks nothing is in their way.';
  return CHOICES.find(({ value }) => value === natives)!.about;
}
