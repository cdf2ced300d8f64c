import { ApiProblem } from '@claret/ui/site';
import { describe, expect, it } from 'vitest';
import type * as api from '../../../server/api.ts';
import { Outbox } from './outbox.ts';

const STATUS: Record<string, number> = { busy: 503, outcome_unknown: 503, not_logged_in: 401, text_empty: 400, key_expired: 409 };

function world() {
  const kept = new Map<string, string>();
  const sent: { key: string; text: string; answer(): void; fail(code: string): void }[] = [];
  const told: string[] = [];
  let number = 0;
  const open = (storage: () => Pick<Storage, 'getItem' | 'setItem'> = () => memory) => {
    const outbox = new Outbox({
      send: (key, { text }) =>
        new Promise((resolve, reject) =>
          sent.push({
            key,
            text,
            answer: () => resolve({ entry: { id: text } } as api.Posted),
            fail: (code) => reject(new ApiProblem(code, 'No.', { status: STATUS[code] ?? 0 })),
          }),
        ),
      newKey: () => `key-${number++}`,
      storage,
      name: 'outbox of ada',
    });
    outbox.onOutcome((outcome) => void told.push('posted' in outcome ? outcome.posted.entry.id : outcome.problem.code));
    return outbox;
  };
  const memory = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
  const shown = (outbox: Outbox) =>
    outbox.posts().map(({ key, text, state, isUnclear }) => `${key} ${text}: ${state}${isUnclear ? ', unclear' : ''}`);
  /** Lets the request that was sent last fail in that way, and tells what is shown then. */
  const fails = async (outbox: Outbox, code: string, sending: Promise<void> = Promise.resolve()) => {
    sent.at(-1)!.fail(code);
    await sending;
    return shown(outbox);
  };
  const retry = async (outbox: Outbox, code: string) => fails(outbox, code, outbox.retry(outbox.posts()[0]!.key));
  return { open, sent, told, kept, shown, fails, retry };
}

describe('outgoing posts', () => {
  it('are shown at once, and removed when the server has them', async () => {
    const { open, sent, told, shown } = world();
    const outbox = open();
    const first = outbox.post('one');
    void outbox.post('two');
    expect(shown(outbox)).toEqual(['key-1 two: sending', 'key-0 one: sending']);
    sent[0]!.answer();
    await first;
    expect([told, shown(outbox)]).toEqual([['one'], ['key-1 two: sending']]);
  });

  it('are the same request as long as they may have been posted', async () => {
    const { open, sent, told, shown, fails, retry } = world();
    const outbox = open();
    expect(await fails(outbox, 'network', outbox.post('one'))).toEqual(['key-0 one: failed, unclear']);
    expect(outbox.posts()[0]!.problem).toEqual({ code: 'network', message: 'No.' });
    for (const code of ['busy', 'not_logged_in', 'outcome_unknown', 'busy'])
      expect(await retry(outbox, code), code).toEqual(['key-0 one: failed, unclear']);
    const last = outbox.retry('key-0');
    void outbox.retry('key-0'); // already being sent
    expect(shown(outbox)).toEqual(['key-0 one: sending, unclear']);
    sent.at(-1)!.answer();
    await last;
    expect(new Set(sent.map(({ key }) => key))).toEqual(new Set(['key-0']));
    expect([sent.length, told.at(-1), outbox.posts()]).toEqual([6, 'one', []]);
  });

  it('are another request once they have certainly not been posted', async () => {
    const { open, sent, shown, fails, retry } = world();
    const outbox = open();
    expect(await fails(outbox, 'busy', outbox.post('one'))).toEqual(['key-0 one: failed']);
    expect(await retry(outbox, 'network')).toEqual(['key-1 one: failed, unclear']);
    // Hours later the server knows that this key has posted nothing. The text waits for its writer.
    expect(await retry(outbox, 'key_expired')).toEqual(['key-1 one: failed']);
    expect(sent.map(({ key }) => key)).toEqual(['key-0', 'key-1', 'key-1']);
    void outbox.retry('key-1');
    expect(shown(outbox)).toEqual(['key-2 one: sending']);
    expect(sent.at(-1)).toMatchObject({ key: 'key-2', text: 'one' });
  });

  it('survive a reload: posts that were being sent are sent again, and may have arrived; failed ones wait', async () => {
    const { open, sent, shown, fails } = world();
    const before = open();
    await fails(before, 'busy', before.post('failed'));
    void before.post('on its way');
    const after = open();
    expect(shown(after)).toEqual(['key-1 on its way: sending, unclear', 'key-0 failed: failed']);
    expect(sent.map(({ key }) => key)).toEqual(['key-0', 'key-1', 'key-1']);
    sent.at(-1)!.fail('busy');
    await Promise.resolve();
    await Promise.resolve();
    expect(shown(after)[0]).toBe('key-1 on its way: failed, unclear');
    expect(shown(open())[0]).toBe('key-1 on its way: failed, unclear');
  });

  it('are removed when their writer takes them back', async () => {
    const { open, fails } = world();
    const outbox = open();
    await fails(outbox, 'busy', outbox.post('one'));
    outbox.discard('key-0');
    expect([outbox.posts(), open().posts()]).toEqual([[], []]);
  });

  it('need no storage, and ignore malformed contents of it', () => {
    const { open, kept } = world();
    const forbidden = () => {
      throw new Error('SecurityError');
    };
    for (const storage of [forbidden, () => ({ getItem: forbidden, setItem: forbidden })]) {
      const outbox = open(storage);
      void outbox.post('one');
      expect(outbox.posts()).toHaveLength(1);
    }
    for (const other of ['{', 'null', '7', '[{"key":3}]', '[null]']) {
      kept.set('outbox of ada', other);
      expect(open().posts(), other).toEqual([]);
    }
  });
});
