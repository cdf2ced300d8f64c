// The spikes that a gateway can run, in words. One that is not known here is shown by its own name.

export interface SpikeWords {
  name: string;
  about: string;
}

const WORDS: Record<string, SpikeWords> = {
  'bid-storm': { name: 'Bid storm', about: 'A crowd bids on one auction, and looks at it.' },
  'viral-post': { name: 'Viral post', about: 'A crowd reposts one post, and reads it.' },
  rawmix: { name: 'Raw mix', about: 'A crowd adds to sets and asks for their sizes, some far more often than others.' },
};

export function spikeWords(name: string): SpikeWords {
  return WORDS[name] ?? { name, about: '' };
}

export function spikeName(name: string): string {
  return spikeWords(name).name;
}
