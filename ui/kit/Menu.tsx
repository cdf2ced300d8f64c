// A drop-down menu. Not modal: the page behind stays usable, and no scroll lock is injected. It is rendered in the landmark of its button,
// so that screen reader users who move by landmarks find it.
import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './Menu.module.css';

const LANDMARKS = 'header, main, aside, footer';

export interface MenuProps {
  /** the button that opens the menu; it must take a ref and DOM props */
  trigger: ReactNode;
  align?: 'start' | 'center' | 'end';
  className?: string;
  onOpenChange?(isOpen: boolean): void;
  children: ReactNode;
}

export function Menu({ trigger, align = 'end', className, onOpenChange, children }: MenuProps) {
  const [button, setButton] = useState<HTMLElement | null>(null);
  return (
    <DropdownMenu.Root modal={false} {...(onOpenChange ? { onOpenChange } : {})}>
      <DropdownMenu.Trigger asChild ref={setButton}>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={button?.closest<HTMLElement>(LANDMARKS) ?? null}>
        <DropdownMenu.Content className={classes(styles.menu, className)} align={align} sideOffset={6} collisionPadding={8}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export function MenuItem({ className, ...rest }: ComponentProps<typeof DropdownMenu.Item>) {
  return <DropdownMenu.Item className={classes(styles.item, className)} {...rest} />;
}

export function MenuLabel(props: ComponentProps<typeof DropdownMenu.Label>) {
  return <DropdownMenu.Label className={styles.label} {...props} />;
}

export function MenuLine() {
  return <DropdownMenu.Separator className={styles.line} />;
}

export interface MenuChoiceProps<T extends string> {
  value: T;
  onChange(value: T): void;
  choices: readonly { value: T; label: string; icon?: ReactNode }[];
}

/** A radio group of menu items, with the chosen one marked. */
export function MenuChoice<T extends string>({ value, onChange, choices }: MenuChoiceProps<T>) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={(chosen) => onChange(chosen as T)}>
      {choices.map((choice) => (
        <DropdownMenu.RadioItem key={choice.value} value={choice.value} className={styles.item}>
          {choice.icon}
          {choice.label}
          <DropdownMenu.ItemIndicator className={styles.mark}>
            <Check size={16} aria-hidden="true" />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}
