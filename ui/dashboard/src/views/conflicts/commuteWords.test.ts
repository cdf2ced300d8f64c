import { expect, test } from 'vitest';
import type { DataType, Operation } from '../../types/catalogue.ts';
import { commuteWords } from './commuteWords.ts';

const operation = (name: string): Operation => ({
  name,
  meaning: '',
  class: 'both',
  mode: 0,
  result: 'void',
  fresh: false,
  parameters: [],
});
const rule = (first: string, second: string, ruling: DataType['rules'][number]['ruling'], when = '') => ({ first, second, ruling, when });
const topK: DataType = {
  name: 'TopK',
  meaning: '',
  modes: [],
  operations: [operation('add'), operation('top'), operation('remove')],
  rules: [rule('add', 'add', 'always'), rule('add', 'top', 'never'), rule('remove', 'add', 'depends', 'different items')],
};

test('a pair is described by the rule of its type, in either order', () => {
  expect(commuteWords([topK], 'TopK.add', 'TopK.add')).toBe('yes, always');
  expect(commuteWords([topK], 'TopK.top', 'TopK.add')).toBe('no: their order matters');
  expect(commuteWords([topK], 'TopK.add', 'TopK.remove')).toBe('yes, if: different items');
});

test('pairs that the catalogue does not know are left open', () => {
  expect(commuteWords([], 'TopK.add', 'TopK.add')).toBe('–');
  expect(commuteWords([topK], 'TopK.add', 'Set.add')).toBe('–');
  expect(commuteWords([topK], 'TopK.add', 'TopK.new')).toBe('–');
  expect(commuteWords([topK], '(other)', '')).toBe('–');
});
