// node --import: loads the client and the gateway with the mistake that CLARET_MISTAKE names.
import { registerHooks } from 'node:module';
import { isPlaceOf, withMistake } from './mistake.ts';
import { mistakeOf } from './mistakes.ts';

const mistake = mistakeOf(process.env.CLARET_MISTAKE ?? '');

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!isPlaceOf(mistake, url)) return loaded;
    return { ...loaded, source: withMistake(mistake, url, String(loaded.source)) };
  },
});
