import { describe, expect, it } from 'vitest';
import type * as api from '../../../server/api.ts';
import { readBox, writeBox } from './noticeBox.ts';

function memory() {
  const kept = new Map<string, string>();
  return { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
}
const notice = { id: 'n1', kind: 'outbid', at_ms: 5 } as api.LiveNotice;

describe('the notice box', () => {
  it('gives back what was kept, each person their own', () => {
    const storage = memory();
    writeBox('ada', { notices: [notice] }, storage);
    writeBox('ada', { seen_until_ms: 5 }, storage);
    expect(readBox('ada', storage)).toEqual({ notices: [notice], seen_until_ms: 5 });
    expect(readBox('ben', storage)).toEqual({ notices: [], seen_until_ms: 0 });
  });
  it('is empty when what is kept cannot be read, or storage is forbidden', () => {
    const empty = { notices: [], seen_until_ms: 0 };
    for (const kept of ['{', 'null', '7', '{"notices":3}']) expect(readBox('ada', { getItem: () => kept })).toEqual(empty);
    const forbidden = () => {
      throw new Error('SecurityError');
    };
    expect(readBox('ada', { getItem: forbidden })).toEqual(empty);
    expect(() => writeBox('ada', { seen_until_ms: 1 }, { getItem: forbidden, setItem: forbidden })).not.toThrow();
  });
});
