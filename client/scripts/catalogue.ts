// Catalogue: the description of all data types and operations that the core exports as JSON.

export interface CatalogueParameter {
  name: string;
  kind: string;
  meaning: string;
}

export interface CatalogueOperation {
  code: number;
  name: string;
  meaning: string;
  class: string;
  mode: number;
  combinable: boolean;
  covered: boolean;
  result: string;
  parameters: CatalogueParameter[];
}

export interface CatalogueJoin {
  holder: string;
  joiner: string;
  how: string;
  parameter: number;
}

/** A command of Redis that records of the type answer. */
export interface CatalogueCommand {
  /** in small letters; of a subcommand "memory|usage" */
  name: string;
  /** the number of arguments with the name, or both names of a subcommand; -n means n or more */
  arity: number;
  writes: boolean;
  group: string;
  meaning: string;
}

export interface CatalogueType {
  name: string;
  meaning: string;
  operations: CatalogueOperation[];
  joins: CatalogueJoin[];
  commands: CatalogueCommand[];
}

export interface Catalogue {
  types: CatalogueType[];
  /** the operations that every record has, whatever its type */
  record: CatalogueType;
}
