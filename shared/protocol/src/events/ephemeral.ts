import { presence } from './presence.ts';
import { typingEditMessage } from './typing-edit-message.ts';
import { typing } from './typing.ts';

/** Constructors of the event types that no log holds. Each is at most one event for a client. */
export const ephemeralEvents = { typing, typingEditMessage, presence } as const;
