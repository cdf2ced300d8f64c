import { FRESH, type Model } from '../model.ts';

/** Returns any value, but each only once. */
export class UIdGenerator implements Model {
  execute(): typeof FRESH {
    return FRESH;
  }

  commit(): void {}

  clone(): UIdGenerator {
    return this;
  }

  equals(): boolean {
    return true;
  }
}
