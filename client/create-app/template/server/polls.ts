// What is asked. Ids are parts of the keys of records: a new id is a new poll, an option that starts at zero.

export interface Poll {
  id: string;
  question: string;
  options: readonly { id: string; text: string }[];
}

export const POLLS: readonly Poll[] = [
  {
    id: 'next',
    question: 'What should we build next?',
    options: [
      { id: 'search', text: 'A faster search' },
      { id: 'offline', text: 'Work without a network' },
      { id: 'keyboard', text: 'A shortcut for everything' },
      { id: 'dark', text: 'A dark theme' },
    ],
  },
];

/** Signs that systems without a font for emoji can show, too. */
export const REACTIONS = [
  { id: 'heart', emoji: '❤️', name: 'Love it' },
  { id: 'smile', emoji: '☺️', name: 'Makes me smile' },
  { id: 'peace', emoji: '✌️', name: 'Fine by me' },
  { id: 'flash', emoji: '⚡', name: 'The sooner the better' },
  { id: 'coffee', emoji: '☕', name: 'Let us talk about it' },
] as const;
