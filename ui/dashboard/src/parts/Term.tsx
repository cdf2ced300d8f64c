// A word that a newcomer may not know: a click tells what it means, where it stands. Its dotted underline says that there is more.
import { Popover } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import { GLOSSARY, type GlossaryWord } from './glossary.ts';
import styles from './Term.module.css';

const LANDMARKS = '[role="dialog"], header, main, aside, footer';

export interface TermProps {
  word: GlossaryWord;
  /** as it is written here: "hot records"; the word itself otherwise */
  children?: ReactNode;
  /** punctuation right after it: no line begins with it (a button does not keep it by itself) */
  then?: string;
}

export function Term({ word, children, then }: TermProps) {
  const [button, setButton] = useState<HTMLElement | null>(null);
  const { meaning, example } = GLOSSARY[word];
  const term = (
    <Popover.Root>
      <Popover.Trigger ref={setButton} className={styles.term}>
        {children ?? word}
      </Popover.Trigger>
      <Popover.Portal container={button?.closest<HTMLElement>(LANDMARKS) ?? null}>
        <Popover.Content
          className={styles.popover}
          aria-label={`What does “${word}” mean?`}
          side="bottom"
          align="start"
          sideOffset={6}
          collisionPadding={8}
        >
          <p>
            <b className={styles.word}>{word}</b> {withCode(meaning)}
          </p>
          <p className={styles.example}>
            <i>For example:</i> {example}
          </p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
  if (then === undefined) return term;
  return (
    <span className={styles.together}>
      {term}
      {then}
    </span>
  );
}

/** What stands between backticks is code. */
const withCode = (text: string): ReactNode[] => text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));
