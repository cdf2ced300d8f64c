// The load spikes that a gateway can run, in words. An unknown spike is shown by its id.

export interface SpikeWords {
  name: string;
  about: string;
}

const WORDS: Record<string, SpikeWords> = {
  'bid-spike': { name: 'Bid spike', about: 'Many people view one auction and bid on it.' },
  'viral-post': { name: 'Viral post', about: 'Many people read one post and repost it.' },
  'popular-post': { name: 'Popular post', about: 'Nearly everybody only reads one post; now and then somebody reposts it.' },
  natives: {
    name: 'Natives',
    about: 'Single operations without a transaction, beside transfers and audits on the same counters.',
  },
  lists: { name: 'Long lists', about: 'Each transaction writes or reads 300 of 20,000 registers at once, at all shards.' },
  rawmix: { name: 'Raw mix', about: 'Many clients add to sets and read their sizes; a few sets get most of the load.' },
};

export function spikeWords(name: string): SpikeWords {
  return WORDS[name] ?? { name, about: '' };
}

export function spikeName(name: string): string {
  return spikeWords(name).name;
}
