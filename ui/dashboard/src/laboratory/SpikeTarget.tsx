import type { SpikeLine } from './spikes.ts';

export interface SpikeTargetProps {
  place: NonNullable<SpikeLine['place']>;
  site: string | undefined;
  /** on the link; missing: the object's title */
  words?: string;
}

/** The object of a spike, linked to its site if the gateway knows the site's address. */
export function SpikeTarget({ place: { path, title }, site, words }: SpikeTargetProps) {
  if (site === undefined || !path.startsWith('/')) return <>“{title}”</>;
  return (
    <a href={site + path} target="_blank" rel="noreferrer" title={title}>
      {words ?? `“${title}”`}
    </a>
  );
}
