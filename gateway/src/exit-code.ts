// The exit code of this package's programs if an operator has to correct something before they can run.
export const EXIT_REFUSED = 2;
