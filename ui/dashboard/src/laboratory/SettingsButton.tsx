// What no card of a story switches: the size of its load, and each single setting of the cluster. It floats, so that the page below stays in
// place and in sight.
import { Button } from '@claret/ui/kit';
import { SlidersHorizontal } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { ConditionSwitches } from './ConditionSwitches.tsx';
import styles from './Laboratory.module.css';
import { LoadFields, type LoadFieldsProps } from './LoadFields.tsx';

export function SettingsButton(fields: LoadFieldsProps) {
  const [button, setButton] = useState<HTMLElement | null>(null);
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button ref={setButton} className={styles.settings}>
          <SlidersHorizontal size={16} aria-hidden="true" /> Settings
        </Button>
      </Popover.Trigger>
      <Popover.Portal container={button?.closest('main') ?? null}>
        <Popover.Content className={styles.popover} aria-label="Settings" align="end" sideOffset={6} collisionPadding={8}>
          <section className={styles.part} aria-label="The load">
            <h3>The load</h3>
            {/* What was typed is of one load; the panel stays open when another begins. */}
            <LoadFields key={fields.load.spike} {...fields} />
          </section>
          <section className={styles.part} aria-label="The cluster">
            <h3>The cluster, for everybody</h3>
            <ConditionSwitches />
          </section>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
