// Sends one bid: shown on the page as pending at once, then accepted or refused by the server. Only the live view says whether it leads.
import { useEffect, useRef, useState } from 'react';
import type * as api from '../../../server/api.ts';
import { asProblem, post, type ApiProblem } from '../api/client.ts';
import { API } from '../api/paths.ts';
import { bidOutcome, type Offer } from './bidding.ts';

export type BidState =
  | { step: 'idle' }
  | ({ step: 'placing' } & Offer)
  | ({ step: 'accepted' | 'leads' | 'overtaken'; bid_id: string } & Offer)
  | ({ step: 'failed'; problem: ApiProblem } & Offer);

export interface Bidding {
  state: BidState;
  /** Resolves to true if the bid was accepted. */
  place(offer: Offer): Promise<boolean>;
}

export function useBid(live: api.LiveItem, user_id: string | null): Bidding {
  const [state, setState] = useState<BidState>({ step: 'idle' });
  const isPlacing = useRef(false);

  useEffect(() => {
    if (state.step !== 'accepted' && state.step !== 'leads') return;
    const outcome = bidOutcome(live, state, user_id);
    if (outcome !== 'unseen' && outcome !== state.step) setState({ ...state, step: outcome });
  }, [live, state, user_id]);

  const place = async (offer: Offer) => {
    if (isPlacing.current) return false;
    isPlacing.current = true;
    setState({ step: 'placing', ...offer });
    try {
      const { amount_cents, max_cents } = offer;
      const body: api.BidRequest = max_cents === null ? { amount_cents } : { amount_cents, max_cents };
      const { bid_id } = await post<api.BidAccepted>(API.bids(live.id), body);
      setState({ step: 'accepted', ...offer, bid_id });
      return true;
    } catch (thrown) {
      setState({ step: 'failed', ...offer, problem: asProblem(thrown) });
      return false;
    } finally {
      isPlacing.current = false;
    }
  };
  return { state, place };
}
