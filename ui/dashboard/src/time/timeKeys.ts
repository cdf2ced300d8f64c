// Keyboard control of the axis: arrows pan, + and - zoom, space pauses and resumes, Home follows the newest data. Keys that a
// focused field, button or list uses itself are left to it.
import type { TimeAxis } from './timeAxis.ts';

const PAN_SHARE = 0.2;
const ZOOM = 1.5;
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
  switch (key) {
    case 'ArrowLeft':
      axis.pan(-PAN_SHARE * width_ms);
      return true;
    case 'ArrowRight':
      axis.pan(PAN_SHARE * width_ms);
      return true;
    case '+':
    case '=':
      axis.zoom(ZOOM);
      return true;
    case '-':
    case '_':
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

/** Listens on the whole page. Returns a function that stops listening. */
export function listenToKeys(page: Document, axis: TimeAxis): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    if (event.defaultPrevented || target?.closest(OWN_KEYS)) return;
    if (event.key === ' ' && target?.closest(OWN_SPACE)) return;
    if (pressKey(axis, event)) event.preventDefault();
  };
  page.addEventListener('keydown', onKeyDown);
  return () => page.removeEventListener('keydown', onKeyDown);
}
