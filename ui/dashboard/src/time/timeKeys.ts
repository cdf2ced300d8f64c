// Keyboard control of the axis, with the keys of Perfetto beside the usual ones. Keys that a focused field, button or list uses itself are left to
// it.
import { areKeysOn } from '../components/singleKeys.ts';
import type { TimeAxis } from './timeAxis.ts';

const PAN_SHARE = 0.2;
const ZOOM = 1.5;
/** For the page's help. */
export const KEYS: readonly { keys: readonly string[]; what: string }[] = [
  { keys: ['W', '+'], what: 'less time, larger' },
  { keys: ['S', '−'], what: 'more time' },
  { keys: ['A', '←'], what: 'earlier' },
  { keys: ['D', '→'], what: 'later' },
  { keys: ['Space'], what: 'pause and resume' },
  { keys: ['Home'], what: 'the newest again' },
  { keys: ['/', 'F'], what: 'find a record or a label' },
  { keys: ['1–4'], what: 'the card of that number, while a load runs' },
];

const OWN_KEYS = 'input, select, textarea, [contenteditable], [role="menu"], [role="dialog"], [role="tablist"], [role="radiogroup"]';
const OWN_SPACE = 'button, a, summary, [role="button"], [tabindex="0"]';

export interface Key {
  key: string;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
}

/** Returns whether the key was for the axis. */
export function pressKey(axis: TimeAxis, { key, altKey, ctrlKey, metaKey }: Key): boolean {
  if (altKey || ctrlKey || metaKey) return false;
  const width_ms = axis.span.to_ms - axis.span.from_ms;
  switch (key.length === 1 ? key.toLowerCase() : key) {
    case 'ArrowLeft':
    case 'a':
      axis.pan(-PAN_SHARE * width_ms);
      return true;
    case 'ArrowRight':
    case 'd':
      axis.pan(PAN_SHARE * width_ms);
      return true;
    case '+':
    case '=':
    case 'w':
      axis.zoom(ZOOM);
      return true;
    case '-':
    case '_':
    case 's':
      axis.zoom(1 / ZOOM);
      return true;
    case ' ':
      if (axis.following) axis.pause();
      else axis.follow();
      return true;
    case 'Home':
      axis.follow();
      return true;
    default:
      return false;
  }
}

/** What a key at this element is for is up to the element. */
export const isOwn = (target: Element | null): boolean => target?.closest(OWN_KEYS) != null;

const isFind = ({ key, altKey, ctrlKey, metaKey }: Key): boolean =>
  !altKey && !ctrlKey && !metaKey && (key === '/' || key.toLowerCase() === 'f');

/** Listens on the whole page. Returns a function that stops listening. */
export function listenToKeys(page: Document, axis: TimeAxis, onFind: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    if (!areKeysOn() || event.defaultPrevented || isOwn(target)) return;
    if (event.key === ' ' && target?.closest(OWN_SPACE)) return;
    if (isFind(event)) onFind();
    else if (!pressKey(axis, event)) return;
    event.preventDefault();
  };
  page.addEventListener('keydown', onKeyDown);
  return () => page.removeEventListener('keydown', onKeyDown);
}
