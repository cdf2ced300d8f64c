// Which port is free on 127.0.0.1.

/** Ports that nobody listens on now. */
export function freePorts(count: number): Promise<number[]>;
