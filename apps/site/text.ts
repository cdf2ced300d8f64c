// Normalizes user-written text before it is stored. Markup is left as it is: pages show it as text.
import { RequestProblem } from './problem.ts';

// Control characters except tab and line breaks, and characters that change the direction of the surrounding text.
const INVISIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g;

// Several lines.
export function plainText(field: string, text: string, length_min: number): string {
  const plain = text.toWellFormed().replace(/\r\n?/g, '\n').replace(INVISIBLE, '').trim();
  if (plain.length < length_min) throw new RequestProblem('invalid_input', { field, detail: 'Please write something.' });
  return plain;
}

// One line.
export function plainLine(field: string, text: string, length_min: number): string {
  return plainText(field, text.replace(/\s+/g, ' '), length_min);
}
