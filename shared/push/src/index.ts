export { createPushClient, pushConfig } from './config.ts';
export type { Device, PushClient, PushNotification, PushOutcome } from './push-client.ts';
export { type WebReply, type WebRequest, webBytesMax } from './web.ts';
