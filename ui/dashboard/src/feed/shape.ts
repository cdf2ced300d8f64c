// Checks of what came as JSON: a shape says whether a value is what its type promises. Lists and texts are bounded, so that
// nobody can fill the page by one message; fields that are not known are let pass.

export type Shape = (value: unknown) => boolean;

export const LIST_MAX = 4_096;
export const TEXT_MAX = 1_024;
/** Times of the wall clock are a thousandth of it. Sums stay finite. */
const NUMBER_MAX = 1e15;

export const text: Shape = (value) => typeof value === 'string' && value.length <= TEXT_MAX;
export const flag: Shape = (value) => typeof value === 'boolean';
export const finite: Shape = (value) => typeof value === 'number' && Math.abs(value) <= NUMBER_MAX;
/** A count, or a length of time. */
export const amount: Shape = (value) => typeof value === 'number' && value >= 0 && value <= NUMBER_MAX;

export const oneOf =
  (...words: readonly unknown[]): Shape =>
  (value) =>
    words.includes(value);

export const orNull =
  (shape: Shape): Shape =>
  (value) =>
    value === null || shape(value);

export const orMissing =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined || shape(value);

export const listOf =
  (shape: Shape): Shape =>
  (value) => {
    if (!Array.isArray(value) || value.length > LIST_MAX) return false;
    for (const element of value) if (!shape(element)) return false;
    return true;
  };

/** With at least these fields. */
export function object(fields: Record<string, Shape>): Shape {
  const entries = Object.entries(fields);
  return (value) => {
    if (typeof value !== 'object' || value === null) return false;
    for (const [name, shape] of entries) if (!shape((value as Record<string, unknown>)[name])) return false;
    return true;
  };
}

/** Any names, all of one shape. */
export const mapOf =
  (shape: Shape): Shape =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const names = Object.keys(value);
    if (names.length > LIST_MAX) return false;
    for (const name of names) if (!text(name) || !shape((value as Record<string, unknown>)[name])) return false;
    return true;
  };

export const either =
  (...shapes: readonly Shape[]): Shape =>
  (value) =>
    shapes.some((shape) => shape(value));
