/** The headers of a request to a cluster with this token; empty: none. */
export const authorization = (token: string): Record<string, string> => (token === '' ? {} : { authorization: `Bearer ${token}` });
