// Theme: a subject that people write about. A sentence has `{one|another}` for a choice.

export type Theme = {
  sentences: readonly string[];
  /** texts that are not combined with others: greetings, questions, a single word */
  alone: readonly string[];
  /** emoji that fit the sentences */
  emoji: readonly string[];
};
