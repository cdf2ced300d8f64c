import { ApiProblem } from '@claret/ui/site';
import { describe, expect, it } from 'vitest';
import { Reposts, shownReposts } from './reposts.ts';

/** Reposts whose requests are answered by hand; ada looks at post 7, which 5 people reposted when it was read at 100. */
function world() {
  const sent: { reposted: boolean; answer(at_ms: number): void; fail(): void }[] = [];
  const reposts = new Reposts(
    (_, reposted) =>
      new Promise((resolve, reject) =>
        sent.push({ reposted, answer: resolve, fail: () => reject(new ApiProblem('busy', 'Too busy just now.')) }),
      ),
  );
  const press = (reposted: boolean, at_ms = 150) => reposts.press({ viewer_id: 'ada', post_id: '7', reposted, at_ms });
  const shows = (heard?: { reposts: number; at_ms: number }, read = { reposts: 5, reposted: false, at_ms: 100 }) => {
    const { reposts: count, reposted } = shownReposts(read, heard, reposts.pressed('ada', '7'));
    return `${count} ${reposted}`;
  };
  return { reposts, sent, press, shows };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

describe('reposting', () => {
  it('shows at once, to whoever pressed, and stays', async () => {
    const { reposts, sent, press, shows } = world();
    expect(shows()).toBe('5 false');
    const pressed = press(true);
    expect(shows()).toBe('6 true');
    expect(reposts.pressed('bob', '7')).toBeUndefined();
    sent[0]!.answer(200);
    expect(await pressed).toBeNull();
    expect(shows()).toBe('6 true');
  });
  it('is taken back when it failed', async () => {
    const { sent, press, shows } = world();
    const pressed = press(true);
    sent[0]!.fail();
    expect((await pressed)?.code).toBe('busy');
    expect(shows()).toBe('5 false');
  });
  it('sends the last of several presses, one at a time', async () => {
    const { sent, press, shows } = world();
    const first = press(true);
    void press(false);
    void press(true);
    void press(false);
    expect([sent.length, shows()]).toEqual([1, '5 false']);
    sent[0]!.answer(200);
    await turn();
    expect(sent.map(({ reposted }) => reposted)).toEqual([true, false]);
    sent[1]!.answer(210);
    expect(await first).toBeNull();
    expect(shows()).toBe('5 false');
  });
});

describe('the number of reposts', () => {
  it('is the newest that was heard', () => {
    const { shows } = world();
    expect(shows({ reposts: 9, at_ms: 120 })).toBe('9 false');
    expect(shows({ reposts: 4, at_ms: 90 })).toBe('5 false');
  });
  it('counts one’s own press once, whether or not the stream has counted it', async () => {
    const { sent, press, shows } = world();
    const pressed = press(true);
    expect(shows({ reposts: 8, at_ms: 140 })).toBe('9 true');
    expect(shows({ reposts: 9, at_ms: 160 })).toBe('9 true');
    sent[0]!.answer(200);
    await pressed;
    expect(shows({ reposts: 8, at_ms: 140 })).toBe('9 true');
    expect(shows({ reposts: 12, at_ms: 300 })).toBe('12 true');
  });
  it('gives way to what a page read later', async () => {
    const { sent, press, shows } = world();
    const pressed = press(true);
    sent[0]!.answer(200);
    await pressed;
    expect(shows(undefined, { reposts: 30, reposted: true, at_ms: 250 })).toBe('30 true');
    expect(shows(undefined, { reposts: 29, reposted: false, at_ms: 250 })).toBe('29 false');
  });
  it('is never less than none', async () => {
    const { press, shows } = world();
    void press(false);
    expect(shows(undefined, { reposts: 0, reposted: true, at_ms: 100 })).toBe('0 false');
  });
});
