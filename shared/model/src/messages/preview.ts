import type { Tx } from '@parley/db';

import type { Actor } from '../actor.ts';
import { renderMessage } from '../texts/render.ts';
import { parseMessageContent } from './text.ts';

/** What a message of this content by the actor would look like. Of none it is nothing. */
export const previewMessage = async (tx: Tx, actor: Actor, content: string): Promise<string> =>
  content.trim() === '' ? '' : (await renderMessage(tx, actor, parseMessageContent(content))).html;
