// Finds free ports on 127.0.0.1.

/** Ports without a listener. */
export function freePorts(count: number): Promise<number[]>;
