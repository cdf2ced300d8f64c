/** The processor time, in ms, of children that have ended and of their children. It is 0 where the system does not report it. */
export function cpuOfChildrenMs(): number;
