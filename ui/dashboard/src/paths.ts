/** The addresses of the dashboard's pages. */
export const PATH = { instrument: '/', tour: '/?tour=1', types: '/types' } as const;
