/** Returns a moment as the API writes it: whole seconds since 1970. */
export const toSeconds = (at: Date) => Math.floor(at.getTime() / 1000);
