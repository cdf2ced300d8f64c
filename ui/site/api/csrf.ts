/** Every request except GET carries this header, with any value: a page of another site cannot set it. */
export const CSRF_HEADER = 'x-claret-csrf';
