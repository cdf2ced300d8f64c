import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import styles from './Button.module.css';
import { classes } from './classes.ts';

export interface ButtonProps extends ComponentProps<'button'> {
  /** primary: the main action; plain: another action; quiet: hardly visible */
  look?: 'primary' | 'plain' | 'quiet';
  size?: 'normal' | 'small' | 'icon';
  isWide?: boolean;
  /** Work is in progress: shown and announced, and further presses are ignored. The focus stays. */
  isBusy?: boolean;
  /** Styles the only child instead, usually a link. */
  asChild?: boolean;
}

export function Button({ look = 'plain', size = 'normal', isWide, isBusy, asChild, className, children, ...rest }: ButtonProps) {
  const name = classes(
    styles.button,
    look !== 'plain' && styles[look],
    size !== 'normal' && styles[size],
    isWide && styles.wide,
    className,
  );
  if (asChild) {
    return (
      <Slot.Root className={name} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type="button"
      className={name}
      {...rest}
      aria-disabled={isBusy || rest['aria-disabled']}
      onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
    >
      {isBusy && <span className={styles.busy} aria-hidden="true" />}
      {children}
    </button>
  );
}
