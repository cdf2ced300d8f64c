import { ApiProblem } from '@claret/ui/site';
import { describe, expect, it } from 'vitest';
import type * as api from '../../../server/api.ts';
import { newDraftId, Outbox } from './outbox.ts';

function world() {
  const kept = new Map<string, string>();
  const sent: { request: api.PostRequest; answer(): void; fail(code: string): void }[] = [];
  const posted: string[] = [];
  let number = 0;
  const open = (storage: () => Pick<Storage, 'getItem' | 'setItem'> = () => memory) => {
    const outbox = new Outbox({
      send: (request) =>
        new Promise((resolve, reject) =>
          sent.push({
            request,
            answer: () => resolve({ entry: { id: request.text } } as api.Posted),
            fail: (code) => reject(new ApiProblem(code, 'No.')),
          }),
        ),
      newId: () => `draft-${number++}`,
      storage,
      key: 'outbox of ada',
    });
    outbox.onOutcome((outcome) => void posted.push('posted' in outcome ? outcome.posted.entry.id : outcome.problem.code));
    return outbox;
  };
  const memory = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
  return { open, sent, posted, kept };
}

describe('outgoing posts', () => {
  it('are shown at once, and removed when the server has them', async () => {
    const { open, sent, posted } = world();
    const outbox = open();
    const first = outbox.post('one');
    void outbox.post('two');
    expect(outbox.posts().map(({ text, state }) => `${text} ${state}`)).toEqual(['two sending', 'one sending']);
    sent[0]!.answer();
    await first;
    expect([posted, outbox.posts().map(({ text }) => text)]).toEqual([['one'], ['two']]);
  });
  it('stay when sending failed, and are the same post when sent again', async () => {
    const { open, sent, posted } = world();
    const outbox = open();
    const failing = outbox.post('one');
    sent[0]!.fail('outcome_unknown');
    await failing;
    const { draft_id, state, problem } = outbox.posts()[0]!;
    expect([state, problem]).toEqual(['failed', { code: 'outcome_unknown', message: 'No.' }]);
    const again = outbox.retry(draft_id);
    void outbox.retry(draft_id); // already being sent
    expect(sent.map(({ request }) => request.draft_id)).toEqual([draft_id, draft_id]);
    sent[1]!.answer();
    await again;
    expect([posted, outbox.posts()]).toEqual([['outcome_unknown', 'one'], []]);
  });
  it('survive a reload: posts that were being sent are sent again, failed ones wait', async () => {
    const { open, sent } = world();
    const before = open();
    const failing = before.post('failed');
    sent[0]!.fail('busy');
    await failing;
    void before.post('on its way');
    const after = open();
    expect(after.posts().map(({ text, state }) => `${text} ${state}`)).toEqual(['on its way sending', 'failed failed']);
    expect(sent.map(({ request }) => request.draft_id)).toEqual(['draft-0', 'draft-1', 'draft-1']);
  });
  it('are removed when their writer takes them back', async () => {
    const { open, sent } = world();
    const outbox = open();
    const failing = outbox.post('one');
    sent[0]!.fail('busy');
    await failing;
    outbox.discard(outbox.posts()[0]!.draft_id);
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
    for (const other of ['{', 'null', '7', '[{"draft_id":3}]', '[null]']) {
      kept.set('outbox of ada', other);
      expect(open().posts(), other).toEqual([]);
    }
  });
  it('have ids that the server accepts', () => {
    expect(newDraftId()).toMatch(/^[0-9A-Za-z_-]{8,64}$/);
    expect(newDraftId()).not.toBe(newDraftId());
  });
});
