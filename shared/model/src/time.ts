export const toSeconds = (at: Date) => Math.floor(at.getTime() / 1000);
