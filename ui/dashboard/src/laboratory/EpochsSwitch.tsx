// Whether lists of operations run in epochs.
import { classes } from '@claret/ui/kit';
import { Term } from '../components/Term.tsx';
import { useTelemetry, useTimeAxis } from '../time/useTimeAxis.tsx';
import styles from './Laboratory.module.css';
import { useLaboratory } from './useLaboratory.tsx';

const CHOICES = [
  { value: 'off', label: 'Off', about: 'Lists of operations take locks, as other transactions do.' },
  {
    value: 'auto',
    label: 'Where it helps',
    about:
      'Long lists hold nothing until one moment at which all of them hold all their records, where the client has measured that they are faster so.',
  },
  {
    value: 'on',
    label: 'Always',
    about: 'All lists of several operations wait for such a moment, also short ones, which are slower so.',
  },
] as const;
type Choice = (typeof CHOICES)[number]['value'];

export function EpochsSwitch() {
  const conditions = useTelemetry((store) => store.conditions);
  const { closed, isBusy, switchTo } = useLaboratory();
  const axis = useTimeAxis();
  if (conditions === null) return null;
  const { epochs = 'auto' } = conditions;
  const isShut = closed !== null || isBusy;
  const choose = (value: Choice) => {
    axis.follow();
    void switchTo({ ...conditions, epochs: value });
  };
  return (
    <div className={classes(styles.further, styles.epochs)}>
      <span className={styles.label} id="epochs-switch">
        <Term word="epoch">Epochs</Term>
      </span>
      <div className={classes(styles.ways, styles.three)} role="group" aria-labelledby="epochs-switch">
        {CHOICES.map(({ value, label, about }) => (
          <button
            key={value}
            type="button"
            className={classes(styles.way, value === epochs && styles.inForce)}
            aria-pressed={value === epochs}
            aria-disabled={isShut}
            title={about}
            onClick={() => !isShut && value !== epochs && choose(value)}
          >
            {label}
          </button>
        ))}
      </div>
      <p className={styles.about}>{aboutWords(conditions.locks === 'none', epochs)}</p>
    </div>
  );
}

function aboutWords(isWithoutLocks: boolean, epochs: Choice): string {
  if (isWithoutLocks) return 'Without locks there are no transactions, and no epochs.';
  return CHOICES.find(({ value }) => value === epochs)!.about;
}
