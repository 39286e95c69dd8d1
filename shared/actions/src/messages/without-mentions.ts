const wordJoiner = '\u2060';

/**
 * Returns a text of somebody's that a bot of the server's may quote: mentions and names of channels in it stay words.
 * Otherwise it would name what its reader may not access, because the server's bots may access everything.
 */
export const withoutMentions = (text: string) => text.replaceAll(/[@#](?=_?\*)/g, `$&${wordJoiner}`);
