const hues = 12;

/** Returns the number of the hue in which somebody's initials are drawn. Accounts made one after the other differ. */
export const hueOf = (id: number): number => ((id * 5) % hues) + 1;
