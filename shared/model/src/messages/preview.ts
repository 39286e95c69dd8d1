import type { Tx } from '@parley/db';

import type { Actor } from '../actor.ts';
import { renderMessage } from '../texts/render.ts';
import { parseMessageContent } from './text.ts';

/** Returns the HTML of a message with this content by the actor, which is empty for empty content. */
export const previewMessage = async (tx: Tx, actor: Actor, content: string): Promise<string> =>
  content.trim() === '' ? '' : (await renderMessage(tx, actor, parseMessageContent(content))).html;
