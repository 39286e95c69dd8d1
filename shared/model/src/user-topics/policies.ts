/** The visibility policies that users may set for topics. */
export const topicPolicies = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;

/** From the least to the most visible. */
const visibility = [topicPolicies.muted, topicPolicies.none, topicPolicies.unmuted, topicPolicies.followed];

/** Returns the more visible of two policies. */
export const moreVisiblePolicy = (a: number, b: number): number =>
  visibility.findIndex((policy) => policy === a) >= visibility.findIndex((policy) => policy === b) ? a : b;
