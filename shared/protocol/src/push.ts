/** The services that carry notifications to phones: Apple's and Google's. */
export const pushServices = ['apns', 'fcm'] as const;
export type PushService = (typeof pushServices)[number];

/** What notifies a device: the service of a phone's maker, or that of a browser (web push). */
export type DeviceService = PushService | 'web';
