// One purchase: confirmed, sent, then bought or refused. While its outcome is unknown no other purchase is possible here; a retry sends the
// same purchase.
import { useCallback, useRef, useState } from 'react';
import type * as api from '../../../server/api.ts';
import { asProblem, failureOf, newKey, postWithKey, type ApiProblem } from '../api/client.ts';
import { API } from '../api/paths.ts';
import { isRefused, keepPending, readPending, type PendingPurchase } from './purchase.ts';

export type BuyState =
  | { step: 'idle' }
  | { step: 'buying'; quantity: number }
  | { step: 'bought'; bought: api.Bought }
  | { step: 'refused'; problem: ApiProblem }
  /** the answer was lost; `problem`: how, null if that happened on another page */
  | { step: 'unknown'; quantity: number; problem: ApiProblem | null };

export interface Buying {
  state: BuyState;
  buy(quantity: number): Promise<void>;
  /** Dismisses the result. */
  settle(): void;
}

/**
 * REQUIRES: the calling component has a `key` of person and auction. `onBought` is also called for a purchase whose answer had been lost.
 */
export function useBuy(item_id: string, user_id: string | null, onBought: () => void): Buying {
  const [kept] = useState(() => (user_id === null ? null : readPending(user_id, item_id)));
  const owed = useRef<PendingPurchase | null>(kept);
  const [state, setState] = useState<BuyState>(kept ? { step: 'unknown', quantity: kept.quantity, problem: null } : { step: 'idle' });
  const isBuying = useRef(false);

  const buy = async (wished: number) => {
    if (isBuying.current || user_id === null) return;
    const wasUnknown = owed.current !== null;
    const purchase = owed.current ?? { key: newKey(), quantity: wished };
    const { key, quantity } = purchase;
    const remember = (pending: PendingPurchase | null) => {
      owed.current = pending;
      keepPending(user_id, item_id, pending);
    };
    isBuying.current = true;
    remember(purchase);
    setState({ step: 'buying', quantity });
    try {
      const bought = await postWithKey<api.Bought>(key, API.buy(item_id), { quantity } satisfies api.BuyRequest);
      remember(null);
      setState({ step: 'bought', bought });
      onBought();
    } catch (thrown) {
      const problem = asProblem(thrown);
      const isOver = isRefused(failureOf(thrown), wasUnknown);
      if (isOver) remember(null);
      setState(isOver ? { step: 'refused', problem } : { step: 'unknown', quantity, problem });
    } finally {
      isBuying.current = false;
    }
  };
  const settle = useCallback(
    () => setState((before) => (before.step === 'bought' || before.step === 'refused' ? { step: 'idle' } : before)),
    [],
  );
  return { state, buy, settle };
}
