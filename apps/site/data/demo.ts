// Accounts of the data sets that visitors may log in with. All other people of a data set have no password, so that logging in as them is impossible.

export const DEMO_NAMES = ['demo1', 'demo2', 'demo3', 'demo4'] as const;
export const DEMO_PASSWORD = 'claret-demo';
