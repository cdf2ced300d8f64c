// What changes by itself stands still while somebody points at it or moves in it.
import { useState, type FocusEvent, type HTMLAttributes, type PointerEvent } from 'react';

type Handlers = Pick<HTMLAttributes<HTMLElement>, 'onPointerEnter' | 'onPointerLeave' | 'onFocus' | 'onBlur'>;

export interface Held<Value> {
  shown: Value;
  isHeld: boolean;
  /** Shows what is newest, and holds that. */
  renew(): void;
  /** for the element around what is shown */
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
      // A finger that scrolls does not stay.
      onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && hold(),
      onPointerLeave: ({ currentTarget }: PointerEvent) => hasFocus(currentTarget) || setHeld(null),
      onFocus: hold,
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => currentTarget.contains(relatedTarget) || setHeld(null),
    },
  };
}
