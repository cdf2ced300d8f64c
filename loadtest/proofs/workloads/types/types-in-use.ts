// TypesInUse: the data types that a workload has installed, the changes of them while it runs, and what their operations may refuse.
import { DefinedType, type Definition } from '@claret/client/types';
import type { Chance } from '../../../kit/random.ts';
import type { OwnReads } from '../../history/final-reads.ts';

/** A definition's text, to be installed, or the name of a type that is to be retired. */
export type TypeChange = { readonly name: string; readonly version: number; readonly definition: string } | { readonly retire: string };

export interface TypesInUse {
  /** installed before all else */
  readonly first: readonly DefinedType[];
  /** The change after all those that were asked for so far. */
  next(chance: Chance): TypeChange;
  /** codes of a type and of its fields that an operation, such as SeatMap.reserve, may refuse with */
  readonly refusals: Readonly<Record<string, readonly string[]>>;
  /** the version of a type from which on it has all operations, unless that is the first */
  readonly complete: Readonly<Record<string, number>>;
  /** The type of a record; undefined: a built-in one. */
  typeOf(key: string): string | undefined;
  /** that together reveal a record of the type, as far as the workload has changed it */
  readonly finalReads: OwnReads;
}

const MEANING_MAX = 500;

export interface Later {
  readonly version: number;
  /** has the same fields, and operations that come behind the earlier ones */
  readonly adds?: DefinedType;
  /** claims that come behind the earlier ones */
  readonly claims?: Definition['commutes'];
}

/** The same type, with more operations or claims. */
export function laterVersion(type: DefinedType, { version, adds, claims = [] }: Later): DefinedType {
  const before = JSON.parse(type.definition) as Definition;
  const added = adds === undefined ? [] : (JSON.parse(adds.definition) as Definition).operations;
  return new DefinedType({
    ...before,
    version,
    meaning: `Version ${version}. ${before.meaning}`.slice(0, MEANING_MAX),
    operations: [...before.operations, ...added],
    commutes: [...before.commutes, ...claims],
  });
}

interface Course {
  newest: DefinedType;
  /** those that come first, in order */
  readonly planned: DefinedType[];
  readonly mayRetire: boolean;
  isRetired: boolean;
}

/** Draws changes of types: the next version of one, or that it is retired, or taken back. */
export class TypeCourses {
  readonly #courses: readonly Course[];

  /** `planned`: later versions, in order */
  constructor(courses: readonly { first: DefinedType; planned?: readonly DefinedType[]; mayRetire?: boolean }[]) {
    this.#courses = courses.map(({ first, planned = [], mayRetire = false }) => ({
      newest: first,
      planned: [...planned],
      mayRetire,
      isRetired: false,
    }));
  }

  next(chance: Chance): TypeChange {
    const course = chance.pick(this.#courses);
    if (course.isRetired) {
      course.isRetired = false;
      return chance.happens(0.5) ? course.newest : later(course);
    }
    if (!course.mayRetire || chance.happens(0.4)) return later(course);
    course.isRetired = true;
    return { retire: course.newest.name };
  }
}

function later(course: Course): DefinedType {
  const { newest, planned } = course;
  return (course.newest = planned.shift() ?? laterVersion(newest, { version: newest.version + 1 }));
}
