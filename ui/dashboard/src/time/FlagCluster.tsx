// The flag of several marks: a button that lists them, with their times.
import { Popover } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import styles from './FlagCluster.module.css';

export interface FlagClusterProps {
  className: string | undefined;
  /** how many they are, in words */
  sum: string;
  /** the marks in order of time */
  lines: readonly { at: string; words: string }[];
  /** what the flag shows */
  children: ReactNode;
}

export function FlagCluster({ className, sum, lines, children }: FlagClusterProps) {
  const said = lines.map((line) => line.words).join(', ');
  const [button, setButton] = useState<HTMLElement | null>(null);
  return (
    <Popover.Root>
      <Popover.Trigger ref={setButton} className={className} aria-label={`${sum}: ${said}`}>
        {children}
        <span className="visually-hidden">{said}</span>
      </Popover.Trigger>
      <Popover.Portal container={button?.closest('main') ?? null}>
        <Popover.Content
          className={styles.list}
          aria-label="Changes close together"
          side="bottom"
          align="start"
          sideOffset={6}
          collisionPadding={8}
        >
          <ol>
            {lines.map(({ at, words }, place) => (
              <li key={place}>
                <span className="figures">{at}</span> {words}
              </li>
            ))}
          </ol>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
