export { createPushClient, pushConfig } from './config.ts';
export type { PushClient, PushNotification, PushOutcome } from './push-client.ts';
