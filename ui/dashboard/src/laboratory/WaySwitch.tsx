// The four ways as one switch, and each single setting in a menu. The pressed button is the way that the cluster reports to be in
// force.
import { Button, Menu, MenuChoice, MenuLabel, MenuLine, classes } from '@claret/ui/kit';
import { SlidersHorizontal } from 'lucide-react';
import type { Conditions } from '@claret/client/telemetry';
import { useTelemetry, useTimeAxis } from '../time/useTimeAxis.tsx';
import { areSame, conditionWords, WAYS } from './conditions.ts';
import styles from './Laboratory.module.css';
import { useLaboratory } from './useLaboratory.tsx';

export function WaySwitch() {
  const conditions = useTelemetry((store) => store.conditions);
  const { closed, isBusy, switchTo } = useLaboratory();
  const axis = useTimeAxis();
  const isShut = closed !== null || conditions === null || isBusy;
  const choose = (wanted: Conditions) => {
    axis.follow();
    void switchTo(wanted);
  };
  return (
    <div className={styles.group}>
      <span className={styles.label} id="ways">
        Concurrency control
      </span>
      <div className={styles.row}>
        <div className={styles.ways} role="group" aria-labelledby="ways">
          {WAYS.map((way) => {
            const isInForce = conditions !== null && areSame(conditions, way.conditions);
            return (
              <button
                key={way.name}
                type="button"
                className={classes(styles.way, isInForce && styles.inForce)}
                aria-pressed={isInForce}
                aria-disabled={isShut}
                title={way.about}
                onClick={() => !isShut && !isInForce && choose(way.conditions)}
              >
                {way.name}
              </button>
            );
          })}
        </div>
        <SwitchMenu conditions={conditions} isShut={isShut} choose={choose} />
      </div>
      {conditions && <p className={styles.about}>{aboutWords(conditions)}</p>}
    </div>
  );
}

function aboutWords(conditions: Conditions): string {
  if (conditions.locks === 'none') return 'Nothing keeps transactions apart. This is fast, and results may be wrong.';
  return WAYS.find((way) => areSame(way.conditions, conditions))?.about ?? `In force: ${conditionWords(conditions)}.`;
}

const LOCKS = [
  { value: 'rw', label: 'Reader/writer' },
  { value: 'abstract', label: 'Commuting' },
  { value: 'none', label: 'No locks (unsafe)' },
] as const;
const PHASING = [
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off: refuse and retry' },
] as const;
const COMBINING = [
  { value: 'auto', label: 'Where it helps' },
  { value: 'on', label: 'Always' },
  { value: 'off', label: 'Off' },
] as const;

interface SwitchMenuProps {
  conditions: Conditions | null;
  isShut: boolean;
  choose(conditions: Conditions): void;
}

function SwitchMenu({ conditions, isShut, choose }: SwitchMenuProps) {
  if (conditions === null) return null;
  const isOne = WAYS.some((way) => areSame(conditions, way.conditions));
  return (
    <Menu
      trigger={
        <Button
          size="small"
          className={classes(styles.tool, !isOne && styles.inForce)}
          disabled={isShut}
          aria-label={isOne ? 'All switches' : `All switches: ${conditionWords(conditions)}`}
          title={`All switches. Now: ${conditionWords(conditions)}`}
        >
          <SlidersHorizontal size={15} aria-hidden="true" />
          {!isOne && conditionWords(conditions)}
        </Button>
      }
    >
      <MenuLabel>Locks</MenuLabel>
      <MenuChoice value={conditions.locks} choices={LOCKS} onChange={(locks) => choose({ ...conditions, locks })} />
      <MenuLine />
      <MenuLabel>Phasing</MenuLabel>
      <MenuChoice
        value={conditions.phasing ? 'on' : 'off'}
        choices={PHASING}
        onChange={(phasing) => choose({ ...conditions, phasing: phasing === 'on' })}
      />
      <MenuLine />
      <MenuLabel>Combining</MenuLabel>
      <MenuChoice value={conditions.combining} choices={COMBINING} onChange={(combining) => choose({ ...conditions, combining })} />
    </Menu>
  );
}
