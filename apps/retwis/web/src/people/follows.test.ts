import { ApiProblem } from '@claret/ui/site';
import { describe, expect, it } from 'vitest';
import { Follows } from './follows.ts';

const ada = { id: 'u1', username: 'ada' };

/** Follows whose requests are answered by hand. */
function world() {
  const sent: { follows: boolean; answer(at_ms: number): void; fail(): void }[] = [];
  const follows = new Follows(
    (_, wanted) =>
      new Promise((resolve, reject) =>
        sent.push({ follows: wanted, answer: resolve, fail: () => reject(new ApiProblem('busy', 'Too busy just now.')) }),
      ),
  );
  const press = (wanted: boolean) => follows.press({ viewer_id: 'me', user: ada, follows: wanted });
  const shows = (read: boolean, read_at_ms = 100) => follows.state('me', ada.id, read, read_at_ms);
  return { follows, sent, press, shows };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

describe('following', () => {
  it('shows what was read until something is pressed, and only to whoever pressed', async () => {
    const { follows, sent, press, shows } = world();
    expect([shows(false), shows(true)]).toEqual([false, true]);
    const pressed = press(true);
    expect(shows(false)).toBe(true);
    expect(follows.state('somebody else', ada.id, false, 100)).toBe(false);
    sent[0]!.answer(200);
    expect(await pressed).toBeNull();
    expect(shows(false)).toBe(true);
  });
  it('goes back to what holds when the request fails, and says why', async () => {
    const { sent, press, shows } = world();
    const pressed = press(true);
    sent[0]!.fail();
    expect((await pressed)?.code).toBe('busy');
    expect(shows(false)).toBe(false);
  });
  it('sends the last of several presses, one request at a time', async () => {
    const { sent, press, shows } = world();
    const first = press(true);
    expect(await press(false)).toBeNull();
    expect(await press(true)).toBeNull();
    expect(await press(false)).toBeNull();
    expect(sent.map(({ follows }) => follows)).toEqual([true]);
    expect(shows(false)).toBe(false);
    sent[0]!.answer(200);
    await turn();
    expect(sent.map(({ follows }) => follows)).toEqual([true, false]);
    sent[1]!.answer(300);
    expect(await first).toBeNull();
    expect(shows(true, 250)).toBe(false);
  });
  it('keeps what the server did last when a later press fails', async () => {
    const { sent, press, shows } = world();
    const first = press(true);
    void press(false);
    sent[0]!.answer(200);
    await turn();
    sent[1]!.fail();
    expect((await first)?.code).toBe('busy');
    expect(shows(false)).toBe(true);
  });
  it('gives way to an answer that the server gave later', async () => {
    const { sent, press, shows } = world();
    const pressed = press(true);
    sent[0]!.answer(200);
    await pressed;
    expect(shows(false, 199)).toBe(true);
    expect(shows(false, 201)).toBe(false);
  });
});
