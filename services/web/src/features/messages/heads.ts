import { type Message, placeOf } from '@parley/client';

/** What stands above a message, by the one before it. */
export interface Head {
  /** A line with the day. */
  hasDay: boolean;
  /** Where the message is, in a list of several conversations. */
  hasPlace: boolean;
  /** Who has written it. */
  hasSender: boolean;
}

/** So far apart, messages of one sender do not belong together. */
const togetherSeconds = 10 * 60;

const dayOf = ({ timestamp }: Message) => new Date(timestamp * 1000).toDateString();

/**
 * @param before the message above; undefined for the first one
 * @param isMixed whether the list shows several conversations
 */
export function headOf(message: Message, before: Message | undefined, isMixed: boolean): Head {
  const hasDay = !before || dayOf(before) !== dayOf(message);
  // Whose eyes they are seen by makes no difference to whether two places are one.
  const isElsewhere = !before || placeOf(before, 0) !== placeOf(message, 0);
  const isSameHand =
    before?.sender_id === message.sender_id &&
    message.timestamp - before.timestamp <= togetherSeconds &&
    !message.is_me_message &&
    !before.is_me_message;
  return {
    hasDay,
    hasPlace: isMixed && (isElsewhere || hasDay),
    hasSender: hasDay || isElsewhere || !isSameHand,
  };
}
