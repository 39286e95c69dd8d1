/** How visible a topic is to a user, least first in the order of `visibility`. */
export const topicPolicies = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;

const visibility = [topicPolicies.muted, topicPolicies.none, topicPolicies.unmuted, topicPolicies.followed];

/** The more visible of two. */
export const moreVisiblePolicy = (a: number, b: number): number =>
  visibility.findIndex((policy) => policy === a) >= visibility.findIndex((policy) => policy === b) ? a : b;
