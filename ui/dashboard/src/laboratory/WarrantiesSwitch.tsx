// Whether shards promise results, so that clients answer from memory.
import { classes } from '@claret/ui/kit';
import { Term } from '../components/Term.tsx';
import { useTelemetry, useTimeAxis } from '../time/useTimeAxis.tsx';
import styles from './Laboratory.module.css';
import { useLaboratory } from './useLaboratory.tsx';

const CHOICES = [
  { value: 'off', label: 'Off', about: 'Each read asks its shard.' },
  {
    value: 'auto',
    label: 'Where it helps',
    about: 'What is read often is promised: clients answer it from memory, and changes wait until they have returned the promise.',
  },
  {
    value: 'on',
    label: 'Always',
    about: 'Everything that is read is promised, also where changes wait more often than reads gain.',
  },
] as const;
type Choice = (typeof CHOICES)[number]['value'];

export function WarrantiesSwitch() {
  const conditions = useTelemetry((store) => store.conditions);
  const { closed, isBusy, switchTo } = useLaboratory();
  const axis = useTimeAxis();
  if (conditions === null) return null;
  const { warranties = 'off' } = conditions;
  const isShut = closed !== null || isBusy;
  const choose = (value: Choice) => {
    axis.follow();
    void switchTo({ ...conditions, warranties: value });
  };
  return (
    <div className={classes(styles.further, styles.warranties)}>
      <span className={styles.label} id="warranties">
        <Term word="warranty">Warranties</Term>
      </span>
      <div className={classes(styles.ways, styles.three)} role="group" aria-labelledby="warranties">
        {CHOICES.map(({ value, label, about }) => (
          <button
            key={value}
            type="button"
            className={classes(styles.way, value === warranties && styles.inForce)}
            aria-pressed={value === warranties}
            aria-disabled={isShut}
            title={about}
            onClick={() => !isShut && value !== warranties && choose(value)}
          >
            {label}
          </button>
        ))}
      </div>
      <p className={styles.about}>{aboutWords(conditions.locks === 'none', warranties)}</p>
    </div>
  );
}

function aboutWords(isWithoutLocks: boolean, warranties: Choice): string {
  if (isWithoutLocks) return 'Without locks nothing can be promised.';
  return CHOICES.find(({ value }) => value === warranties)!.about;
}
