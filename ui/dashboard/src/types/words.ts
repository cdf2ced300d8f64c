// The catalogue's short names in plain words.
import type { Operation, OperationClass, Ruling } from './catalogue.ts';

const KINDS: Record<string, string> = {
  void: 'nothing',
  boolean: 'true or false',
  integer: 'integer',
  number: 'number',
  text: 'text',
  scalar: 'any value',
  optional: 'any value, or none',
  texts: 'list of texts',
  scalars: 'list of values',
  entries: 'list of [field, value]',
  scored: 'list of [item, score]',
  ranked: 'list of [item, score]',
  ranked_item: '[item, score], or none',
};

/** An unknown kind is shown by its own name. */
export const kindWords = (kind: string): string => KINDS[kind] ?? kind;

export const CLASS_WORDS: Record<OperationClass, string> = {
  observe: 'reads',
  mutate: 'changes',
  both: 'changes and answers',
  blind: 'overwrites',
};

export const RULING_WORDS: Record<Ruling, { word: string; meaning: string }> = {
  always: { word: 'together', meaning: 'always: both hold the record at the same time' },
  depends: { word: 'depends', meaning: 'on their arguments or on what they find: click the number for the rule' },
  summed: { word: 'within bounds', meaning: 'together as long as the sum is sure to fit; otherwise one waits' },
  never: { word: 'one waits', meaning: 'until the other’s transaction ends' },
};

/** "(item: text, n: integer) → nothing" */
export const signature = ({ parameters, result }: Operation): string =>
  `(${parameters.map(({ name, kind }) => `${name}: ${kindWords(kind)}`).join(', ')}) → ${kindWords(result)}`;
