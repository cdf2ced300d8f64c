import { classes, Count } from '@claret/ui/kit';
import { Repeat2 } from 'lucide-react';
import type { Repost } from './useRepost.ts';
import styles from './RepostButton.module.css';

/** Repost or undo: pressed or not, with the number of reposts. */
export function RepostButton({ repost: { reposts, reposted, press } }: { repost: Repost }) {
  return (
    <button
      type="button"
      className={classes(styles.button, reposted && styles.pressed)}
      aria-pressed={reposted}
      title={reposted ? 'Undo repost' : 'Repost to your followers'}
      onClick={press}
    >
      <Repeat2 size={19} aria-hidden="true" />
      <span className="visually-hidden">Repost{reposts > 0 && ', '}</span>
      {reposts > 0 && <Count value={reposts} of={['repost', 'reposts']} isBare />}
    </button>
  );
}
