/** The addresses of the dashboard's pages. */
export const PATH = { instrument: '/', types: '/types' } as const;
