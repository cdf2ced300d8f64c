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
  result: string;
  parameters: CatalogueParameter[];
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
  commands: CatalogueCommand[];
}

export interface Catalogue {
  types: CatalogueType[];
  /** the operations that every record has, whatever its type */
  record: CatalogueType;
}
