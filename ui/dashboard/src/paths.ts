/** The addresses of the dashboard's pages. */
export const PATH = { story: '/', explore: '/explore', types: '/types' } as const;
