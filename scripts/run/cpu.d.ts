/** Of children that have ended, and of their children, in ms; 0 where the system does not say. */
export function cpuOfChildrenMs(): number;
