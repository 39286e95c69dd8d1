/** The topics of a channel in which nearly all of its messages are. */
export const usualTopics: readonly string[] = Array.from({ length: 5 }, (_, number) => `topic ${number}`);

/** So many messages begin a topic of their own. */
const newShare = 1 / 20;

/** The topic of a message that somebody sends. */
export const someTopic = (): string =>
  Math.random() < newShare
    ? `news ${Math.random()}`
    : (usualTopics[Math.floor(Math.random() * usualTopics.length)] ?? '');
