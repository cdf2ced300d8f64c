// The moves of slots that are under way, with their progress. The slots change hands at once, at the end, so progress is that of the copy.
import type { MovingSlots } from '@claret/client/telemetry';
import { shareWords } from '../../components/figures.ts';
import { movingShare, movingStep, movingWords } from './moveWords.ts';
import styles from './SlotMoves.module.css';

export function SlotMoves({ moves }: { moves: readonly MovingSlots[] }) {
  if (moves.length === 0) return null;
  return (
    <ul className={styles.moves} aria-label="Slots that move">
      {moves.map((move) => (
        <SlotMove key={move.move} move={move} />
      ))}
    </ul>
  );
}

function SlotMove({ move }: { move: MovingSlots }) {
  const share = movingShare(move);
  return (
    <li className={styles.move}>
      <b>{movingWords(move)}</b>
      <progress className={styles.progress} aria-label={`Copied of ${movingWords(move)}`} value={share} max={1}>
        {shareWords(share)}
      </progress>
      <span className={styles.step} title={move.why}>
        {movingStep(move)}
      </span>
    </li>
  );
}
