import { presence } from './presence.ts';
import { typingEditMessage } from './typing-edit-message.ts';
import { typing } from './typing.ts';

/** Constructors of the event types that are not stored in the log. Each becomes at most one event for a client. */
export const ephemeralEvents = { typing, typingEditMessage, presence } as const;
