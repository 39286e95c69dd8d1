import type * as model from '@parley/model';
import type { WebhookPayload } from '@parley/protocol';

/** The formats in which services want messages. */
export const interfaces = { generic: 1, slack: 2 } as const;

export interface WebhookBody {
  contentType: string;
  body: string;
}

type Message = WebhookPayload['message'];

/** Returns a message as JSON, with all there is to know of it. */
export function genericBody(
  { bot, service, trigger }: model.webhookDeliveries.WebhookDelivery,
  message: Message,
): WebhookBody {
  const payload: WebhookPayload = {
    bot_email: bot.email,
    bot_full_name: bot.fullName,
    data: message.content,
    trigger,
    token: service.token,
    message,
  };
  return { contentType: 'application/json', body: JSON.stringify(payload) };
}

/** Returns a message of a channel as a form with the fields that programs for Slack read. */
export function slackBody(
  { bot, service, trigger }: model.webhookDeliveries.WebhookDelivery,
  message: Message,
): WebhookBody {
  const { display_recipient: channel, timestamp } = message;
  const fields = new URLSearchParams({
    token: service.token,
    team_id: `T${bot.realm.id}`,
    team_domain: bot.realm.host,
    channel_id: `C${message.stream_id ?? 0}`,
    channel_name: typeof channel === 'string' ? channel : '',
    thread_ts: `${timestamp}`,
    timestamp: `${timestamp}`,
    user_id: `U${message.sender_id}`,
    user_name: message.sender_full_name,
    text: message.content,
    trigger_word: trigger,
    service_id: `${bot.id}`,
  });
  return { contentType: 'application/x-www-form-urlencoded', body: fields.toString() };
}
