// Holds a changing value still while the pointer or the focus is in its element.
import { useState, type FocusEvent, type HTMLAttributes, type PointerEvent } from 'react';

type Handlers = Pick<HTMLAttributes<HTMLElement>, 'onPointerEnter' | 'onPointerLeave' | 'onFocus' | 'onBlur'>;

export interface Held<Value> {
  shown: Value;
  isHeld: boolean;
  /** Shows the newest value, and holds that. */
  renew(): void;
  /** for the element around the value */
  handlers: Handlers;
}

export function useHeld<Value>(newest: Value): Held<Value> {
  const [held, setHeld] = useState<{ value: Value } | null>(null);
  const hold = () => setHeld((before) => before ?? { value: newest });
  const hasFocus = (element: Element) => element.contains(document.activeElement);
  return {
    shown: held === null ? newest : held.value,
    isHeld: held !== null,
    renew: () => setHeld({ value: newest }),
    handlers: {
      // Only the mouse holds: a scrolling finger leaves the element anyway.
      onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && hold(),
      onPointerLeave: ({ currentTarget }: PointerEvent) => hasFocus(currentTarget) || setHeld(null),
      onFocus: hold,
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => currentTarget.contains(relatedTarget) || setHeld(null),
    },
  };
}
