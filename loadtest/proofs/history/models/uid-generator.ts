import { FRESH, type Model } from '../model.ts';

/** Whatever it answers, it answers once. */
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
