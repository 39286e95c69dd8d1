/** The services that carry notifications to phones: Apple's and Google's. */
export const pushServices = ['apns', 'fcm'] as const;
export type PushService = (typeof pushServices)[number];
