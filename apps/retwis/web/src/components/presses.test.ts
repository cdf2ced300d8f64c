import { ApiProblem } from '@claret/ui/site';
import { describe, expect, it } from 'vitest';
import { Presses, shownPressed } from './presses.ts';

/** Presses whose requests the test answers; ada looks at post 7, which had 5 reposts when it was read at time 100. */
function world() {
  const sent: { isOn: boolean; answer(at_ms: number): void; fail(): void }[] = [];
  const presses = new Presses(
    (_, isOn) =>
      new Promise((resolve, reject) =>
        sent.push({ isOn, answer: resolve, fail: () => reject(new ApiProblem('busy', 'Too busy just now.')) }),
      ),
  );
  const press = (isOn: boolean, at_ms = 150) => presses.press({ viewer_id: 'ada', id: '7', isOn, at_ms });
  const shows = (heard?: { count: number; at_ms: number }, read = { count: 5, isOn: false, at_ms: 100 }) => {
    const { count, isOn } = shownPressed(read, heard, presses.pressed('ada', '7'));
    return `${count} ${isOn}`;
  };
  return { presses, sent, press, shows };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

describe('a press', () => {
  it('shows at once to the person who pressed, and stays', async () => {
    const { presses, sent, press, shows } = world();
    expect(shows()).toBe('5 false');
    const pressed = press(true);
    expect(shows()).toBe('6 true');
    expect(presses.pressed('bob', '7')).toBeUndefined();
    sent[0]!.answer(200);
    expect(await pressed).toBeNull();
    expect(shows()).toBe('6 true');
  });
  it('is undone when its request fails', async () => {
    const { sent, press, shows } = world();
    const pressed = press(true);
    sent[0]!.fail();
    expect((await pressed)?.code).toBe('busy');
    expect(shows()).toBe('5 false');
  });
  it('sends the last of several presses, one request at a time', async () => {
    const { sent, press, shows } = world();
    const first = press(true);
    void press(false);
    void press(true);
    void press(false);
    expect([sent.length, shows()]).toEqual([1, '5 false']);
    sent[0]!.answer(200);
    await turn();
    expect(sent.map(({ isOn }) => isOn)).toEqual([true, false]);
    sent[1]!.answer(210);
    expect(await first).toBeNull();
    expect(shows()).toBe('5 false');
  });
  it('keeps the server’s last state when a later press fails', async () => {
    const { sent, press, shows } = world();
    const first = press(true);
    void press(false);
    sent[0]!.answer(200);
    await turn();
    sent[1]!.fail();
    expect((await first)?.code).toBe('busy');
    expect(shows()).toBe('6 true');
  });
});

describe('the number of presses', () => {
  it('is the newest that was received', () => {
    const { shows } = world();
    expect(shows({ count: 9, at_ms: 120 })).toBe('9 false');
    expect(shows({ count: 4, at_ms: 90 })).toBe('5 false');
  });
  it('counts the viewer’s own press once, whether or not the stream has counted it', async () => {
    const { sent, press, shows } = world();
    const pressed = press(true);
    expect(shows({ count: 8, at_ms: 140 })).toBe('9 true');
    expect(shows({ count: 9, at_ms: 160 })).toBe('9 true');
    sent[0]!.answer(200);
    await pressed;
    expect(shows({ count: 8, at_ms: 140 })).toBe('9 true');
    expect(shows({ count: 12, at_ms: 300 })).toBe('12 true');
  });
  it('is replaced by what a page read later', async () => {
    const { sent, press, shows } = world();
    const pressed = press(true);
    sent[0]!.answer(200);
    await pressed;
    expect(shows(undefined, { count: 30, isOn: true, at_ms: 250 })).toBe('30 true');
    expect(shows(undefined, { count: 29, isOn: false, at_ms: 250 })).toBe('29 false');
  });
  it('is never negative', async () => {
    const { press, shows } = world();
    void press(false);
    expect(shows(undefined, { count: 0, isOn: true, at_ms: 100 })).toBe('0 false');
  });
});
