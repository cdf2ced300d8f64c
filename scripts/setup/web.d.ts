// The built pages of the sites and of the dashboard.

/** Builds what has changed since it was built last. */
export function buildPages(): Promise<void>;
