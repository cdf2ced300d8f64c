import { formatCounted, formatMoneyInFull } from '@claret/ui/kit';
import { useEffect, useId, useState } from 'react';
import type * as api from '../../../server/api.ts';
import { asProblem, get, type ApiProblem } from '../api/client.ts';
import { API } from '../api/paths.ts';
import styles from './AsItWas.module.css';

/** The slider goes back this far from the end. */
const SPAN_MS = 5 * 60_000;
const STEPS = 300;
const BIDS_SHOWN = 5;

export interface AsItWasProps {
  item_id: string;
  opened_at_ms: number;
  ended_at_ms: number;
}

/**
 * A closed auction as it was, at each moment of its last minutes. Every position of the slider is read from the store, which keeps what has
 * changed for a while; afterwards there is nothing to show.
 */
export function AsItWas({ item_id, opened_at_ms, ended_at_ms }: AsItWasProps) {
  const from_ms = Math.max(opened_at_ms, ended_at_ms - SPAN_MS);
  const step_ms = Math.max(100, Math.ceil((ended_at_ms - from_ms) / STEPS / 100) * 100);
  const [before_ms, setBefore] = useState(0);
  const { past, problem } = usePast(item_id, ended_at_ms - before_ms);
  const heading = useId();
  if (past === null && problem === null) return null;
  if (past === null && problem!.code === 'past_gone') return null;
  const words = before_ms === 0 ? 'at the end' : `${lasting(before_ms)} before the end`;
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>The auction as it was</h2>
      <p className={styles.note}>Move the slider: each moment is read from the store as it was then.</p>
      <div className={styles.slider}>
        <input
          type="range"
          aria-label="Moment"
          aria-valuetext={words}
          min={-(ended_at_ms - from_ms)}
          max={0}
          step={step_ms}
          value={-before_ms}
          onChange={(event) => setBefore(-Number(event.target.value))}
        />
        <span className={styles.moment}>{words}</span>
      </div>
      {problem === null ? (
        past !== null && <Then past={past} />
      ) : (
        <p className={styles.soft}>{problem.code === 'unknown_item' ? 'It hadn’t been opened yet.' : problem.message}</p>
      )}
    </section>
  );
}

function Then({ past }: { past: api.PastItem }) {
  const { bids, bid_count, price_cents } = past;
  return (
    <>
      <p aria-live="polite">
        <strong className="figures">{formatMoneyInFull(price_cents)}</strong>
        <span className={styles.soft}> · {bid_count === 0 ? 'no bids yet' : formatCounted(bid_count, 'bid', 'bids')}</span>
      </p>
      <ol className={styles.bids}>
        {bids.slice(0, BIDS_SHOWN).map(({ id, bidder, amount_cents }) => (
          <li key={id}>
            <span>{bidder.nickname}</span>
            <span className="figures">{formatMoneyInFull(amount_cents)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

/** 12.3 s, or 2 min 5 s. */
function lasting(ms: number): string {
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms % 1_000 === 0 ? 0 : 1)} s`;
  const seconds = Math.round(ms / 1_000);
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

type Seen = { past: api.PastItem | null; problem: ApiProblem | null };

/** The auction at that moment; until it has come, what was read last. */
function usePast(item_id: string, at_ms: number): Seen {
  const [seen, setSeen] = useState<Seen>({ past: null, problem: null });
  useEffect(() => {
    let isWanted = true;
    get<api.PastItem>(API.past(item_id, at_ms)).then(
      (past) => isWanted && setSeen({ past, problem: null }),
      (thrown: unknown) => isWanted && setSeen(({ past }) => ({ past, problem: asProblem(thrown) })),
    );
    return () => {
      isWanted = false;
    };
  }, [item_id, at_ms]);
  return seen;
}
