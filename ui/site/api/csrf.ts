/** Pages send this header, with any value, with each request: a page of another site cannot set it. */
export const CSRF_HEADER = 'x-claret-csrf';
