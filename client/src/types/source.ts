// What a developer writes (docs/types-of-your-own.md), and the types that follow from it.

import type { Change, EachField, FieldType } from './field-type.ts';
import type { AnswerOf, ArgumentOf, Kinded, LikeOfKind, ParameterKind, ResultOf, SymbolOf, ValueKind } from './kinds.ts';
import type { ListValue } from './lists.ts';
import type { BooleanLike, Requirement, TextLike, TextValue } from './values.ts';

export type StateSource = Readonly<Record<string, FieldType | EachField>>;

/** The fields, for functions that read. */
export type Reading<State> = {
  readonly [Name in keyof State]: State[Name] extends EachField<infer Of>
    ? { of(key: TextLike): Of['reads'] }
    : State[Name] extends FieldType<infer Reads, unknown>
      ? Reads
      : never;
};

/** The fields, for functions that write. */
export type Writing<State> = {
  readonly [Name in keyof State]: State[Name] extends EachField<infer Of>
    ? { of(key: TextLike): Of['changes'] }
    : State[Name] extends FieldType<unknown, infer Changes>
      ? Changes
      : never;
};

/** The fields, for migrations. */
export type Migrating<State> = {
  readonly [Name in keyof State]: State[Name] extends EachField<infer Of>
    ? { of(key: TextLike): Of['reads'] & Of['changes']; keys(): ListValue<TextValue> }
    : State[Name] extends FieldType<infer Reads, infer Changes>
      ? Reads & Changes
      : never;
};

// `Parameters` and `Result` are what an operation's source has under these names; unknown: it has none.

export type Arguments<Parameters> = {
  readonly [Name in keyof Parameters]: Parameters[Name] extends Kinded<infer K extends ParameterKind> ? SymbolOf<K> : never;
};

/** The answer as `write` and claims get it. */
export type AnswerSymbol<Result> = Result extends Kinded<infer K extends ValueKind> ? AnswerOf<K> : undefined;

/** What `answer` returns. */
export type AnswerLike<Result> = Result extends Kinded<infer K extends ValueKind> ? LikeOfKind<K> : never;

export interface OperationSource<State, Parameters, Result> {
  meaning: string;
  /** in the order in which calls give them */
  parameters?: Parameters;
  /** the kind of the answer; without one the operation is void */
  result?: Result;
  /** Conditions: the first one that is not true refuses the operation. */
  require?: (fields: Reading<State>, args: Arguments<Parameters>) => readonly Requirement[];
  answer?: (fields: Reading<State>, args: Arguments<Parameters>) => AnswerLike<Result>;
  /** Changes of fields, which follow from the arguments and the answer alone. */
  write?: (fields: Writing<State>, args: Arguments<Parameters>, answer: AnswerSymbol<Result>) => readonly Change[];
}

export interface ClaimSide<Parameters, Result> {
  readonly arguments: Arguments<Parameters>;
  readonly answer: AnswerSymbol<Result>;
}

/** The member `Name`, or unknown. */
type At<Members, Name> = Name extends keyof Members ? Members[Name] : unknown;

/** Two operations that may hold a record together, beyond what follows from the fields, whenever `when` is true of them. */
export type ClaimSource<Parameters, Results> = {
  [First in keyof Parameters]: {
    [Second in keyof Parameters]: {
      first: First;
      second: Second;
      when: (
        first: ClaimSide<Parameters[First], At<Results, First>>,
        second: ClaimSide<Parameters[Second], At<Results, Second>>,
      ) => BooleanLike;
    };
  }[keyof Parameters];
}[keyof Parameters];

export interface TypeSource<State, Parameters, Results> {
  /** with a capital, and of no built-in type */
  name: string;
  /** from 1; a definition that differs from an earlier one of the same name has another */
  version: number;
  meaning: string;
  state: State;
  operations: {
    [Name in keyof Parameters | keyof Results]: OperationSource<State, At<Parameters, Name>, At<Results, Name>>;
  };
  commutes?: readonly ClaimSource<Parameters, Results>[];
  /**
   * By version: what fills the fields that it has added, from the earlier ones, for each record when it is first touched. Later versions keep it. Reads
   * see the record as it was before.
   */
  migrations?: Readonly<Record<number, (fields: Migrating<State>) => readonly Change[]>>;
}

// ---- calls ----

/**
 * The values of a call. TypeScript does not know the order of an object's members: where the parameters are of several kinds, it takes each of these
 * kinds in each place. The check of the call, before anything is sent, is exact.
 */
type Places<Names, Each, Found extends readonly Each[] = []> = [Names] extends [never]
  ? Found
  : Places<Exclude<Names, LastOf<Names>>, Each, [...Found, Each]>;

/** Some member of a union, the same one each time. */
type LastOf<Union> = (Union extends unknown ? (member: () => Union) => void : never) extends (member: infer Members) => void
  ? Members extends () => infer Last
    ? Last
    : never
  : never;

type NativeOf<Parameters> = {
  [Name in keyof Parameters]: Parameters[Name] extends Kinded<infer K extends ParameterKind> ? ArgumentOf<K> : never;
}[keyof Parameters];

/** For each operation: the values that a call takes, and the value that it answers. */
export type OperationsOf<Parameters, Results> = {
  readonly [Name in keyof Parameters | keyof Results]: {
    readonly args: Places<keyof At<Parameters, Name>, NativeOf<At<Parameters, Name>>>;
    readonly result: At<Results, Name> extends Kinded<infer K extends ValueKind> ? ResultOf<K> : void;
  };
};
