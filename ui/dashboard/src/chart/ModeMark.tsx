// A mode as a small sign: its colour, pattern and letters. The mode's name stands beside the sign, or is given to screen readers.
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import styles from './ModeMark.module.css';
import { modeLook } from './modes.ts';
import { onPalette, palette } from './palette.ts';

const WIDTH = 22;
const HEIGHT = 16;

export interface ModeMarkProps {
  mode: string;
  /** the name is written beside the sign */
  isNamed?: boolean;
}

export function ModeMark({ mode, isNamed = false }: ModeMarkProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useSyncExternalStore(onPalette, palette);
  const look = modeLook(mode);
  useLayoutEffect(() => {
    const ratio = window.devicePixelRatio;
    const element = canvas.current!;
    element.width = WIDTH * ratio;
    element.height = HEIGHT * ratio;
    const context = element.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colours.mode(mode).fill(context);
    context.fillRect(0, 0, WIDTH, HEIGHT);
  }, [mode, colours]);
  return (
    <span className={styles.mark}>
      <span className={styles.sign}>
        <canvas ref={canvas} className={styles.swatch} aria-hidden="true" />
        <span className={styles.letters} aria-hidden="true">
          {look.letters}
        </span>
      </span>
      <span className={isNamed ? undefined : 'visually-hidden'}>{look.name}</span>
    </span>
  );
}
