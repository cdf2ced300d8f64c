// Theme: what somebody writes of. A sentence has `{one|another}` where there is a choice.

export type Theme = {
  sentences: readonly string[];
  /** what does not go with others: greetings, questions, a single word */
  alone: readonly string[];
  /** that go with the sentences */
  emoji: readonly string[];
};
