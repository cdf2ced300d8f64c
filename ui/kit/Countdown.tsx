import { Timer } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useAnnounce } from './Announcer.tsx';
import { classes } from './classes.ts';
import styles from './Countdown.module.css';
import { formatCountdown, speakCountdown } from './format/time.ts';
import { useSecondsLeft } from './hooks/useServerClock.ts';

export interface CountdownProps {
  /** the end on the server's clock, milliseconds since 1970 */
  end_ms: number;
  /** the server has said that it is over, whatever the clock shows */
  isOver?: boolean;
  /** announces 5 minutes, 1 minute, 10 seconds and the end; for a page's main countdown */
  isAnnounced?: boolean;
  hasIcon?: boolean;
  className?: string;
}

const ANNOUNCED_AT_S = [300, 60, 10];

/** The time left by the server's clock: whole minutes above a minute, seconds below. */
export function Countdown({ end_ms, isOver, isAnnounced, hasIcon = true, className }: CountdownProps) {
  const left = useSecondsLeft(end_ms);
  const seconds = isOver ? 0 : left;
  const announce = useAnnounce();
  const before = useRef(seconds);
  useEffect(() => {
    const last = before.current;
    before.current = seconds;
    if (isAnnounced && ANNOUNCED_AT_S.some((mark) => last > mark && seconds <= mark && seconds > 0)) announce(speakCountdown(seconds));
  }, [seconds, isAnnounced, announce]);
  const look = seconds === 0 ? styles.over : seconds < 60 && styles.last;
  return (
    <span role="timer" aria-label={speakCountdown(seconds)} className={classes(styles.countdown, 'figures', look, className)}>
      {hasIcon && <Timer size="1.05em" aria-hidden="true" />}
      {seconds === 0 && !isOver ? 'Closing…' : formatCountdown(seconds)}
    </span>
  );
}
