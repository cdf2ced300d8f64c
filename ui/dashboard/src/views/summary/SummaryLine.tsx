// A summary of the present in words, at the top of the page; the things it names are links to the views that show them.
import type { MouseEvent } from 'react';
import { useFeed } from '../../feed/useFeed.tsx';
import { useLaboratory } from '../../laboratory/useLaboratory.tsx';
import { selectRecord } from '../../components/selectedRecord.ts';
import { focusView } from '../../components/views.ts';
import { useFollowing, useTelemetry } from '../../time/useTimeAxis.tsx';
import { situationOf, type Situation } from './findings.ts';
import { sentenceOf, type Piece } from './sentence.ts';
import styles from './SummaryLine.module.css';

/** The least time between changes of the sentence, so that it can be read. */
const RENEWED_MS = 1_000;

/** Keeps the last situation for RENEWED_MS. */
class Standing {
  private told: { at_ms: number; name: string; situation: Situation } | null = null;

  /** `name`: the subject of the sentence; a new subject is reported at once. */
  tell(at_ms: number, name: string, look: () => Situation): Situation {
    const before = this.told;
    if (before !== null && before.name === name && Math.abs(at_ms - before.at_ms) < RENEWED_MS) return before.situation;
    this.told = { at_ms, name, situation: look() };
    return this.told.situation;
  }
}

const standing = new Standing();

export function SummaryLine() {
  const isFollowing = useFollowing();
  const { source } = useFeed();
  const { closed, noSpikes } = useLaboratory();
  const situation = useTelemetry((store, span) => {
    const { from_ms, to_ms } = span;
    const name = isFollowing ? `now ${source} ${store.marks.length}` : `${from_ms} ${to_ms}`;
    return standing.tell(store.newest_ms ?? 0, name, () => situationOf(store, span, isFollowing));
  });
  const pieces = sentenceOf(situation, { canStart: closed === null && noSpikes === null, isRecording: source === 'recording' });
  return (
    <p className={styles.summary} data-situation={situation.is}>
      {pieces.map((piece, place) => (
        <PieceOf key={place} piece={piece} />
      ))}
    </p>
  );
}

function PieceOf({ piece: { text, view, key } }: { piece: Piece }) {
  if (view === undefined) return text;
  const go = (event: MouseEvent) => {
    event.preventDefault();
    if (key !== undefined) selectRecord(key);
    focusView(view);
  };
  return (
    <a href={`#${view}`} className={key === undefined ? styles.link : styles.key} title="Show where" onClick={go}>
      {text}
    </a>
  );
}
