// Why transactions meet as they do: the two operations and the ruling of the cluster's catalogue, with the way to the type's table.
import { Link } from 'react-router';
import { PATH } from '../paths.ts';
import { useCatalogue } from '../types/useCatalogue.ts';
import styles from './Why.module.css';
import type { StoryView } from './storyView.ts';
import { whyOf } from './why.ts';

function unknownWords(isKnown: boolean, { cards, shown }: StoryView): string {
  if (!isKnown) return 'The cluster, whose catalogue of types says why, does not answer.';
  return shown !== null && cards[shown]!.state === 'measuring' ? 'Measuring…' : 'No two operations were seen to meet.';
}

export function Why({ view }: { view: StoryView }) {
  const { catalogue } = useCatalogue();
  const { shown, story, meeting } = view;
  const types = catalogue.state === 'known' ? catalogue.types : [];
  const why = shown === null ? null : whyOf(meeting, story.modes[shown]!.conditions, types);
  return (
    <section className={styles.why} aria-labelledby="why">
      <h2 id="why" className={styles.title}>
        Why?
      </h2>
      {why === null ? (
        <p className={styles.words}>{unknownWords(catalogue.state === 'known', view)}</p>
      ) : (
        <>
          <p className={styles.operations}>
            <code>{why.operations[0]}</code> × <code>{why.operations[1]}</code>
          </p>
          <p className={styles.words}>{why.words}.</p>
          <Link to={`${PATH.types}#${why.type}`} className={styles.link} aria-label={`All pairs of ${why.type}`}>
            All pairs
          </Link>
        </>
      )}
    </section>
  );
}
