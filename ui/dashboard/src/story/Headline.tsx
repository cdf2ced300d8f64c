// What Claret is, in one line, and what happens now, in one sentence.
import { classes } from '@claret/ui/kit';
import { Middle } from '../components/Middle.tsx';
import styles from './Headline.module.css';
import { sentenceOf, type Scene } from './sentence.ts';

export function Headline({ scene, isSmall = false }: { scene: Scene; isSmall?: boolean }) {
  return (
    <p className={classes(styles.sentence, isSmall && styles.small)} data-sentence="">
      {sentenceOf(scene).map(({ text, isKey }, place) =>
        isKey ? (
          <code key={place} className={styles.key}>
            <Middle text={text} />
          </code>
        ) : (
          <span key={place}>{text}</span>
        ),
      )}
    </p>
  );
}
