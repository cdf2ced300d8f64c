import { expect, test } from 'vitest';
import { AnimationLoop } from './animationLoop.ts';

function loopByHand() {
  let next: ((now_ms: number) => void) | null = null;
  const loop = new AnimationLoop({
    requestFrame: (callback) => {
      next = callback;
      return 1;
    },
    cancelFrame: () => (next = null),
  });
  return { loop, isRunning: () => next !== null, frame: (now_ms: number) => next!(now_ms) };
}

test('in each frame all movers run before all charts, whatever the order of registration', () => {
  const { loop, frame } = loopByHand();
  const steps: string[] = [];
  loop.addChart((now_ms) => steps.push(`draw ${now_ms}`) > 0);
  loop.onFrame((now_ms) => void steps.push(`move ${now_ms}`));
  frame(16);
  expect(steps).toEqual(['move 16', 'draw 16']);
});

test('it runs while anything is registered, and counts the frames in which something was drawn', () => {
  const { loop, frame, isRunning } = loopByHand();
  expect(isRunning()).toBe(false);
  let isNew = true;
  const stop = [loop.addChart(() => isNew), loop.addChart(() => false)];
  frame(16);
  isNew = false;
  frame(32);
  expect(loop.drawnFrames).toBe(1);
  stop[0]!();
  expect(isRunning()).toBe(true);
  stop[1]!();
  expect(isRunning()).toBe(false);
});
