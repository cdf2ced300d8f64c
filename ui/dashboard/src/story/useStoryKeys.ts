// The keys of a story: space starts and stops, and a digit is the card of that number. Keys that a focused element uses itself are left to it.
import { useEffect, useRef } from 'react';
import { areKeysOn } from '../components/singleKeys.ts';

const OWN_KEYS = 'input, select, textarea, [contenteditable], [role="menu"], [role="dialog"]';
const OWN_SPACE = 'button, a, summary, [role="button"]';

export interface StoryKeys {
  toggle(): void;
  press(card: number): void;
}

export function useStoryKeys(keys: StoryKeys): void {
  const newest = useRef(keys);
  useEffect(() => {
    newest.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!areKeysOn()) return;
      const target = event.target instanceof Element ? event.target : null;
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.repeat || target?.closest(OWN_KEYS)) return;
      if (event.key === ' ' && !target?.closest(OWN_SPACE)) newest.current.toggle();
      else if (/^[1-4]$/.test(event.key)) newest.current.press(Number(event.key) - 1);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
