// The cards of a story, side by side on one scale. A card switches the cluster while the story's load runs; else it shows what was measured.
import type { Card } from './cards.ts';
import { ModeCard } from './ModeCard.tsx';
import styles from './ModeCards.module.css';
import type { StoryView } from './storyView.ts';

export interface ModeCardsProps {
  view: StoryView;
  /** why a press would be lost, in a sentence; null: it would not */
  shut: string | null;
  onPress(mode: number): void;
}

export function ModeCards({ view, shut, onPress }: ModeCardsProps) {
  const { story, cards, running, shown } = view;
  const most_per_s = Math.max(1, ...cards.map(rateOf));
  return (
    <ol className={styles.cards} data-count={cards.length} aria-label="Modes">
      {story.modes.map((mode, place) => (
        <ModeCard
          key={mode.name}
          mode={mode}
          number={place + 1}
          card={cards[place]!}
          before={cards[place - 1] ?? null}
          most_per_s={most_per_s}
          isRunning={running === place}
          isShown={shown === place}
          shut={shut}
          onPress={() => onPress(place)}
        />
      ))}
    </ol>
  );
}

const rateOf = (card: Card): number => (card.state === 'measured' ? card.figures.committed_per_s : 0);
