// One mode's figures: what it causes first, then commits a second as a bar on the scale that all cards share.
import { formatCount } from '@claret/ui/kit';
import type { ReactNode } from 'react';
import type { Card, Figures } from './cards.ts';
import { factorWords, lostWords, rateChange, rateWords, waitedWords } from './comparison.ts';
import type { Mode } from './modes.ts';
import { msWords } from '../components/figures.ts';
import styles from './ModeCard.module.css';

export interface ModeCardProps {
  mode: Mode;
  /** from 1 */
  number: number;
  card: Card;
  /** the card before it, with which it is compared; null: it is the first */
  before: Card | null;
  /** the greatest rate of all cards */
  most_per_s: number;
  isRunning: boolean;
  isShown: boolean;
  /** why it cannot be pressed, in a sentence; null: it can */
  shut: string | null;
  onPress(): void;
}

export function ModeCard({ mode, number, card, before, most_per_s, isRunning, isShown, shut, onPress }: ModeCardProps) {
  const figures = card.state === 'measured' ? card.figures : null;
  return (
    <li className={styles.card} data-look={mode.look} data-running={isRunning || undefined} data-shown={isShown || undefined}>
      <h3 className={styles.head}>
        <button
          type="button"
          className={styles.name}
          aria-pressed={isRunning || isShown}
          aria-keyshortcuts={String(number)}
          aria-disabled={shut !== null}
          title={shut ?? undefined}
          onClick={shut === null ? onPress : undefined}
        >
          <span className={styles.number}>{number}</span> {mode.name}
        </button>
        {isRunning && <span className={styles.now}>{card.state === 'measuring' ? 'measuring…' : 'now'}</span>}
      </h3>
      <p className={styles.about}>{mode.about}</p>
      <dl className={styles.witness}>
        <Figure name="tries lost" value={figures && lostWords(figures.lost_per_commit)} />
        <Figure name="waited" value={figures && waitedWords(figures.waited_ms_per_commit)} />
        <Figure name="slowest 1%" value={figures && msWords(figures.p99_ms)} />
      </dl>
      <div className={styles.track} aria-hidden="true">
        {figures && <span className={styles.bar} style={{ width: `${(100 * figures.committed_per_s) / most_per_s}%` }} />}
      </div>
      <p className={styles.rate}>
        <b className="figures">{figures ? rateWords(figures.committed_per_s) : '–'}</b> <span>commits a second</span>
        {figures && <Compared figures={figures} before={before} />}
      </p>
      <p className={styles.spread}>
        <span>{figures ? spreadWords(figures) : ' '}</span>
        {figures && before?.state === 'measured' && <span>{NOT_CLEAR[rateChange(before.figures, figures).is]}</span>}
      </p>
    </li>
  );
}

function Figure({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <dd className="figures">{value ?? '–'}</dd>
      <dt>{name}</dt>
    </div>
  );
}

function Compared({ figures, before }: { figures: Figures; before: Card | null }) {
  if (before?.state !== 'measured') return null;
  const change = rateChange(before.figures, figures);
  if (change.is === 'other run') return null;
  return change.is === 'clear' ? (
    <span className={styles.factor} title="Commits a second, compared with the card before">
      ×{factorWords(change.factor)}
    </span>
  ) : (
    <span className={styles.factor} aria-hidden="true">
      ≈
    </span>
  );
}

const NOT_CLEAR = { unclear: 'no clear difference', 'other run': 'another run', clear: null };

/** "half its seconds: 80–92" */
function spreadWords({ spread: { low, high }, natives_per_s }: Figures): string {
  const words = (per_s: number) => formatCount(Math.round(per_s));
  const natives = natives_per_s >= 10 ? `; beside them ${words(natives_per_s)} single operations` : '';
  return `half its seconds: ${words(low)}–${words(high)}${natives}`;
}
