// The ruling of a pair as a small sign; the same in tables and in the key.
import { Check, CircleDashed, Hourglass, Sigma, type LucideIcon } from 'lucide-react';
import { classes } from '@claret/ui/kit';
import type { Locks, Ruling } from './catalogue.ts';
import styles from './RulingSign.module.css';
import { RULING_WORDS } from './words.ts';

const SIGNS: Record<Ruling, LucideIcon> = { always: Check, depends: CircleDashed, summed: Sigma, never: Hourglass };

/** `condition`: the number of the pair's rule, if it has one. */
export function RulingSign({ ruling, condition }: { ruling: Ruling; condition?: number | undefined }) {
  const Sign = SIGNS[ruling];
  return (
    <span className={classes(styles.sign, styles[ruling])}>
      <Sign size={15} strokeWidth={2.4} aria-hidden="true" />
      <span className="visually-hidden">{RULING_WORDS[ruling].word}</span>
      {condition !== undefined && (
        <span className={styles.number}>
          <span className="visually-hidden">, rule </span>
          {condition}
        </span>
      )}
    </span>
  );
}

const SHOWN: Record<Locks, readonly Ruling[]> = { abstract: ['always', 'depends', 'summed', 'never'], rw: ['always', 'never'] };

export function RulingKey({ locks }: { locks: Locks }) {
  return (
    <ul className={styles.key} aria-label="Signs">
      {SHOWN[locks].map((ruling) => (
        <li key={ruling}>
          <RulingSign ruling={ruling} />
          <span>
            <b aria-hidden="true">{RULING_WORDS[ruling].word}</b> {RULING_WORDS[ruling].meaning}
          </span>
        </li>
      ))}
    </ul>
  );
}
