import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { formatCount } from './format/money.ts';
import styles from './Tabs.module.css';

export interface TabsProps {
  label: string;
  value: string;
  onChange(value: string): void;
  tabs: readonly { value: string; label: string; count?: number; content: ReactNode }[];
}

export function Tabs({ label, value, onChange, tabs }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onChange}>
      <Radix.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} value={tab.value} className={styles.tab}>
            {tab.label}
            {tab.count !== undefined && <span className={styles.count}>{formatCount(tab.count)}</span>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} tabIndex={-1}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
