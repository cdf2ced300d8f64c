// DefinitionError: why a type cannot be defined as it is written.

export class DefinitionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DefinitionError';
  }
}

export const invalid = (message: string): DefinitionError => new DefinitionError(message);

/** Runs a part of a definition. What it throws says where. */
export function within<Result>(where: string, part: () => Result): Result {
  try {
    return part();
  } catch (error) {
    const { message } = error instanceof Error ? error : { message: String(error) };
    throw new DefinitionError(`${where}: ${message}`, { cause: error instanceof DefinitionError ? error.cause : error });
  }
}
