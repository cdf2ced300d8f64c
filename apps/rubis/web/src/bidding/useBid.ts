// One bid on its way: placed at once on the page as pending, then accepted or refused by the server; whether it leads
// is told by the live view alone.
import { useEffect, useRef, useState } from 'react';
import type * as api from '../../../server/api.ts';
import { asProblem, post, type ApiProblem } from '../api/door.ts';
import { API } from '../api/paths.ts';
import { bidOutcome } from './bidding.ts';

export type BidState =
  | { step: 'idle' }
  | { step: 'placing'; amount_cents: number }
  | { step: 'accepted'; amount_cents: number; bid_id: string }
  | { step: 'leads'; amount_cents: number; bid_id: string }
  | { step: 'overtaken'; amount_cents: number; bid_id: string }
  | { step: 'failed'; amount_cents: number; problem: ApiProblem };

export interface Bidding {
  state: BidState;
  /** Resolves to whether the bid was accepted. */
  place(amount_cents: number): Promise<boolean>;
}

export function useBid(live: api.LiveItem): Bidding {
  const [state, setState] = useState<BidState>({ step: 'idle' });
  const isPlacing = useRef(false);

  useEffect(() => {
    if (state.step !== 'accepted' && state.step !== 'leads') return;
    const outcome = bidOutcome(live, state);
    if (outcome !== 'unseen' && outcome !== state.step) setState({ ...state, step: outcome });
  }, [live, state]);

  const place = async (amount_cents: number) => {
    if (isPlacing.current) return false;
    isPlacing.current = true;
    setState({ step: 'placing', amount_cents });
    try {
      const body: api.BidRequest = { amount_cents };
      const { bid_id } = await post<api.BidAccepted>(API.bids(live.id), body);
      setState({ step: 'accepted', amount_cents, bid_id });
      return true;
    } catch (thrown) {
      setState({ step: 'failed', amount_cents, problem: asProblem(thrown) });
      return false;
    } finally {
      isPlacing.current = false;
    }
  };
  return { state, place };
}
