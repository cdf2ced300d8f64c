import { expect, test } from 'vitest';
import { TimeAxis, type Span } from '../time/timeAxis.ts';
import { listenToGestures, type ChartPoint } from './gestures.ts';
import { timeScale } from './timeScale.ts';

/** A fake element with only the parts that gestures need: 600 px wide, of which the first 100 are labels. */
class Box extends EventTarget {
  getBoundingClientRect = () => ({ left: 0, top: 0 });
  setPointerCapture() {}

  send(type: string, x: number, more: object = {}): void {
    const event = Object.assign(new Event(type, { cancelable: true }), {
      button: 0,
      pointerId: 1,
      pointerType: 'mouse',
      clientX: x,
      clientY: 10,
      ...more,
    });
    this.dispatchEvent(event);
  }
}

function chart() {
  const axis = new TimeAxis();
  axis.advance(600_000);
  axis.pick({ from_ms: 500_000, to_ms: 550_000 });
  const box = new Box();
  const heard: { picked: Span[]; selected: ChartPoint[]; hovered: (ChartPoint | null)[] } = { picked: [], selected: [], hovered: [] };
  listenToGestures(box as unknown as HTMLElement, {
    axis,
    scale: () => timeScale(axis.span, 100, 600),
    onHover: (point) => heard.hovered.push(point),
    onPick: (span) => heard.picked.push(span),
    onSelect: (point) => heard.selected.push(point),
    showPick: () => {},
  });
  return { axis, box, heard };
}

test('pointing shows the instant in all charts; pointing at labels shows none', () => {
  const { axis, box, heard } = chart();
  box.send('pointermove', 350);
  expect(axis.hover_ms).toBe(525_000);
  box.send('pointermove', 50);
  expect(axis.hover_ms).toBe(null);
  expect(heard.hovered).toHaveLength(2);
  box.send('pointermove', 350);
  box.send('pointerleave', 350);
  expect(axis.hover_ms).toBe(null);
});

test('dragging picks a span, in whichever direction; a click selects', () => {
  const { box, heard } = chart();
  box.send('pointerdown', 400);
  box.send('pointermove', 200);
  box.send('pointerup', 200);
  expect(heard.picked).toEqual([{ from_ms: 510_000, to_ms: 530_000 }]);
  expect(heard.selected).toHaveLength(0);
  box.send('pointerdown', 300);
  box.send('pointermove', 302);
  box.send('pointerup', 302);
  expect(heard.picked).toHaveLength(1);
  expect(heard.selected[0]!.at_ms).toBe(520_200);
});

test('a finger pans, two fingers zoom', () => {
  const { axis, box, heard } = chart();
  const touch = (id: number) => ({ pointerType: 'touch', pointerId: id });
  box.send('pointerdown', 300, touch(1));
  box.send('pointermove', 350, touch(1));
  box.send('pointerup', 350, touch(1));
  expect(axis.span).toEqual({ from_ms: 495_000, to_ms: 545_000 });
  expect(heard.picked).toEqual([]);
  expect(heard.selected).toEqual([]);
  box.send('pointerdown', 300, touch(1));
  box.send('pointerdown', 400, touch(2));
  box.send('pointermove', 501, touch(2));
  expect(axis.span.to_ms - axis.span.from_ms).toBeCloseTo(25_000);
});

test('the wheel zooms only with ctrl, and pans sideways', () => {
  const { axis, box } = chart();
  box.send('wheel', 300, { deltaX: 0, deltaY: -200, ctrlKey: false, metaKey: false });
  expect(axis.span.to_ms - axis.span.from_ms).toBe(50_000);
  box.send('wheel', 300, { deltaX: 0, deltaY: -200, ctrlKey: true });
  expect(axis.span.to_ms - axis.span.from_ms).toBeLessThan(40_000);
  const { from_ms } = axis.span;
  box.send('wheel', 300, { deltaX: 40, deltaY: 3 });
  expect(axis.span.from_ms).toBeGreaterThan(from_ms);
});
