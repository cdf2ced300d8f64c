import { Avatar, Button } from '@claret/ui/kit';
import styles from './FormPage.module.css';

export interface DemoAccountsProps {
  names: readonly string[];
  onEnter(name: string): void;
}

/** Accounts for trying the site; renders nothing if there are none. */
export function DemoAccounts({ names, onEnter }: DemoAccountsProps) {
  if (names.length === 0) return null;
  return (
    <section className={styles.demo} aria-labelledby="demo">
      <h2 id="demo">Just looking?</h2>
      <p className={styles.note}>Log in with a demo account. Anyone can use these.</p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <Button onClick={() => onEnter(name)}>
              <Avatar name={name} size={22} />
              {name}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
