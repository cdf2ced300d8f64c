// node --import: loads the client with the mistake that CLARET_CLIENT_MISTAKE names.
import { registerHooks } from 'node:module';
import { isPlaceOf, mistakeOf, withMistake } from './mistakes.ts';

const mistake = mistakeOf(process.env.CLARET_CLIENT_MISTAKE ?? '');

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!isPlaceOf(mistake, url)) return loaded;
    return { ...loaded, source: withMistake(mistake, String(loaded.source)) };
  },
});
