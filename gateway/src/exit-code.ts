// What this package's programs end with where something has to be put right before running them makes sense.
export const EXIT_REFUSED = 2;
