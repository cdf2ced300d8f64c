// One polite live region per page, for messages that must be heard and not only seen.
import { createContext, use, useCallback, useRef, type ReactNode } from 'react';

type Announce = (text: string) => void;

const AnnounceContext = createContext<Announce>(() => {});

export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const region = useRef<HTMLDivElement>(null);
  const announce = useCallback<Announce>((text) => {
    const line = document.createElement('p');
    line.textContent = text;
    region.current?.append(line);
    window.setTimeout(() => line.remove(), 8_000);
  }, []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <div ref={region} className="visually-hidden" aria-live="polite" />
    </AnnounceContext>
  );
}

/** Announces a sentence to assistive technology, without interrupting. */
export function useAnnounce(): Announce {
  return use(AnnounceContext);
}
