// The cards of a story for as long as the page is open: telemetry goes back ten minutes, and a card stays.
import type { Card } from './cards.ts';
import type { Story } from './stories.ts';

export class KeptCards {
  private readonly kept = new Map<Story, Card[]>();

  /** The newest cards, and where telemetry has none any more, those from before. */
  keep(story: Story, cards: readonly Card[]): Card[] {
    const before = this.kept.get(story);
    const now = cards.map((card, place): Card => {
      const old = before?.[place];
      if (card.state !== 'empty' || old?.state !== 'measured') return card;
      return { ...old, isRunning: false };
    });
    this.kept.set(story, now);
    return now;
  }
}
