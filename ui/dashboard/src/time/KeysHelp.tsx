// The page's help: the keys that move time.
import { Button } from '@claret/ui/kit';
import { Keyboard } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { toggleKeys, useKeysOn } from '../components/singleKeys.ts';
import styles from './KeysHelp.module.css';
import { KEYS } from './timeKeys.ts';

export function KeysHelp({ className }: { className: string | undefined }) {
  const [button, setButton] = useState<HTMLElement | null>(null);
  const areOn = useKeysOn();
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button ref={setButton} size="small" className={className ?? ''} aria-label="Keys" title="Keys">
          <Keyboard size={15} aria-hidden="true" />
        </Button>
      </Popover.Trigger>
      <Popover.Portal container={button?.closest('main') ?? null}>
        <Popover.Content
          data-off={!areOn || undefined}
          className={styles.help}
          aria-label="Keys"
          align="start"
          sideOffset={6}
          collisionPadding={8}
        >
          <dl className={styles.keys}>
            {KEYS.map(({ keys, what }) => (
              <div key={what}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
          <label className={styles.on}>
            <input type="checkbox" checked={areOn} onChange={toggleKeys} /> These keys work
          </label>
          <p className={styles.mouse}>In a chart, drag to look at a span, and turn the wheel with Ctrl to zoom.</p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
