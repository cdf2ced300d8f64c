// Holds a value still while the pointer or the keyboard focus is in an element, so that a target does not move before it is pressed.
import { useState, type FocusEvent } from 'react';

export interface Held<Value> {
  shown: Value;
  /** to be spread on the element */
  handlers: {
    onPointerEnter(): void;
    onPointerLeave(): void;
    onFocus(): void;
    onBlur(event: FocusEvent): void;
  };
}

export function useHeld<Value>(value: Value): Held<Value> {
  const [isPointedAt, setPointedAt] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [shown, setShown] = useState(value);
  const isHeld = (isPointedAt || isFocused) && shown !== null;
  if (!isHeld && shown !== value) setShown(value);
  return {
    shown: isHeld ? shown : value,
    handlers: {
      onPointerEnter: () => setPointedAt(true),
      onPointerLeave: () => setPointedAt(false),
      onFocus: () => setFocused(true),
      onBlur: (event) => setFocused(event.currentTarget.contains(event.relatedTarget)),
    },
  };
}
