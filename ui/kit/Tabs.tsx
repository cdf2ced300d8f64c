import { Tabs as Radix } from 'radix-ui';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { classes } from './classes.ts';
import { formatCount } from './format/money.ts';
import styles from './Tabs.module.css';

export interface TabsProps {
  label: string;
  value: string;
  onChange(value: string): void;
  tabs: readonly { value: string; label: string; count?: number; content: ReactNode }[];
}

export function Tabs({ label, value, onChange, tabs }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const [isByPointer, setByPointer] = useState(false);
  useEffect(() => keepInSight(list.current), [value]);
  return (
    <Radix.Root value={value} onValueChange={onChange}>
      <Radix.List
        ref={list}
        className={classes(styles.list, isByPointer && styles.byPointer)}
        aria-label={label}
        onPointerDown={() => setByPointer(true)}
        onKeyDown={() => setByPointer(false)}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) setByPointer(false);
        }}
      >
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

/** Tabs wider than the window scroll: the chosen tab stays fully visible. */
function keepInSight(list: HTMLElement | null): void {
  const tab = list?.querySelector('[data-state="active"]')?.getBoundingClientRect();
  if (!list || !tab) return;
  const { left, right } = list.getBoundingClientRect();
  if (tab.left < left) list.scrollLeft -= left - tab.left;
  else if (tab.right > right) list.scrollLeft += tab.right - right;
}
