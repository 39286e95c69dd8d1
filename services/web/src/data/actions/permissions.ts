import { type GroupSetting, type Message, isIncluded } from '@parley/client';

import { peek } from '../live/state.ts';

const limitOf = (name: string) => peek().own[name] as number | null | undefined;

/** Returns whether a message is younger than a limit; null is no limit. */
const isWithin = ({ timestamp }: Message, seconds: number | null | undefined) =>
  seconds === null || seconds === undefined || Date.now() / 1000 - timestamp < seconds;

function isAllowed(setting: string): boolean {
  const value = peek().own[setting] as GroupSetting | undefined;
  return value !== undefined && isIncluded(peek(), value, peek().own.user_id);
}

const isOwn = ({ sender_id }: Message) => sender_id === peek().own.user_id;

/**
 * Returns whether the server would let the reader rewrite a message. What is said here spares a refusal; the server
 * decides.
 */
export const mayEdit = (message: Message): boolean =>
  isOwn(message) &&
  message.submessages.length === 0 &&
  peek().own['realm_allow_message_editing'] === true &&
  isWithin(message, limitOf('realm_message_content_edit_limit_seconds'));

export const mayDelete = (message: Message): boolean =>
  isAllowed('realm_can_delete_any_message_group') ||
  (isOwn(message) &&
    isAllowed('realm_can_delete_own_message_group') &&
    isWithin(message, limitOf('realm_message_content_delete_limit_seconds')));

/** Returns whether the organization has moderators to whom messages are reported. */
export const mayReport = (): boolean => Number(peek().own['realm_moderation_request_channel_id'] ?? -1) > 0;
