// The catalogue, loaded from the gateway by each page that shows it, since types are installed while the cluster runs; what is known is shown
// meanwhile. The request is repeated until a gateway answers: the running cluster defines what a data type allows, so nothing else is shown
// before.
import { useEffect, useState } from 'react';
import { ask } from '../api/gateway.ts';
import { tellApart } from '../chart/modes.ts';
import type { Catalogue, DataType } from './catalogue.ts';

export type CatalogueState = { state: 'asking' } | { state: 'failed'; words: string } | { state: 'known'; types: DataType[] };

const PATH = '/v1/types';
const AGAIN_MS = 3_000;

let known: DataType[] | null = null;

async function read(): Promise<CatalogueState> {
  try {
    const answer = await ask<Catalogue | null>('GET', PATH);
    if (!Array.isArray(answer?.types)) return { state: 'failed', words: 'The server that answered is not a gateway of a cluster.' };
    known = answer.types;
    for (const { modes } of known) tellApart(modes.map(({ name }) => name));
    return { state: 'known', types: known };
  } catch (error) {
    return { state: 'failed', words: error instanceof Error ? error.message : String(error) };
  }
}

export function useCatalogue(): { catalogue: CatalogueState; askAgain(): void } {
  const [round, setRound] = useState(0);
  const [catalogue, setCatalogue] = useState<CatalogueState>(known ? { state: 'known', types: known } : { state: 'asking' });

  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    void read().then((next) => {
      if (isOver) return;
      if (next.state === 'known' || !known) setCatalogue(next);
      if (next.state === 'failed') timer = setTimeout(() => setRound((before) => before + 1), AGAIN_MS);
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [round]);

  return { catalogue, askAgain: () => setRound((before) => before + 1) };
}
