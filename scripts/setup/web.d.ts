// The built pages of the sites and of the dashboard.

/** Builds the pages that have changed since their last build. */
export function buildPages(): Promise<void>;
