// Ratings run from -5 to 5, in the five steps of RUBiS; each has a word.

export const RATING_CHOICES = [
  { value: 5, word: 'Excellent' },
  { value: 3, word: 'Good' },
  { value: 0, word: 'Neutral' },
  { value: -3, word: 'Bad' },
  { value: -5, word: 'Very bad' },
] as const;

/** The nearest step's word. */
export function ratingWord(rating: number): string {
  return RATING_CHOICES.reduce((one, other) => (Math.abs(other.value - rating) < Math.abs(one.value - rating) ? other : one)).word;
}

/** `+3`, `0`, `−5`. */
export function formatRating(rating: number, digits = 0): string {
  return new Intl.NumberFormat(undefined, {
    signDisplay: 'exceptZero',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
    .format(rating)
    .replace('-', '−');
}
