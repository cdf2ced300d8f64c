// Mistakes on purpose in the client and in the gateway, as texts of their source that are replaced while it is loaded: the source itself knows
// nothing of them. The core's mistakes are in server-core/src/ground/mutation.h.

import type { Mutation } from '../mutants.ts';

export interface Mistake {
  readonly name: string;
  readonly places: readonly Place[];
  /** a mistake of the core that goes with it: the two rely on each other, so that one alone does no harm */
  readonly core?: Mutation;
}

export interface Place {
  /** below the project's folder */
  readonly file: string;
  /** occurs once in the file */
  readonly right: string;
  readonly wrong: string;
}

/** A mistake in one place of the client. */
export interface ClientMistake {
  readonly name: string;
  /** below client/src */
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
}

export const inClient = ({ name, file, right, wrong }: ClientMistake): Mistake => ({
  name,
  places: [{ file: `client/src/${file}`, right, wrong }],
});

/** The source of that module with the mistake in it. Throws an Error if it has changed so that the mistake has no place any more. */
export function withMistake({ name, places }: Mistake, path: string, source: string): string {
  return places.filter((place) => isIn(place, path)).reduce((text, place) => replaced(name, place, text), source);
}

function replaced(name: string, { file, right, wrong }: Place, source: string): string {
  const found = source.split(right).length - 1;
  if (found !== 1) throw new Error(`The mistake ${name} needs a text that occurs once in ${file}; it occurs ${found} times.`);
  return source.replace(right, () => wrong);
}

/** `path`: of a module, as a file or as a URL. */
export const isPlaceOf = ({ places }: Mistake, path: string): boolean => places.some((place) => isIn(place, path));

const isIn = ({ file }: Place, path: string): boolean => path.split('?')[0]!.endsWith(`/${file}`);
