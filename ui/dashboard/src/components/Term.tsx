// A term that a newcomer may not know: a click explains it in place. The dotted underline shows that an explanation is available.
import { Popover } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import { GLOSSARY, type GlossaryWord } from './glossary.ts';
import styles from './Term.module.css';

const LANDMARKS = '[role="dialog"], header, main, aside, footer';

export interface TermProps {
  word: GlossaryWord;
  /** the text as it is written here, such as "hot records"; by default the word itself */
  children?: ReactNode;
  /** punctuation right after the term, kept on the same line (a button alone does not prevent the break) */
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

/** Text between backticks is shown as code. */
const withCode = (text: string): ReactNode[] => text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));
