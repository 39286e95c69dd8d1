import { isEmoji } from '../../schemas/profiles.ts';
import type { JsonTables } from '../json-tables.ts';
import { emojiOf } from './belongings.ts';
import type { Directory } from './directory.ts';
import type { MessageReader } from './messages.ts';
import { idOf } from './values.ts';

/** Adds the reactions to messages, in parts of their own. */
export async function addReactions(
  tables: JsonTables,
  directory: Directory,
  reader: MessageReader,
  hasEmoji: (id: number) => boolean,
): Promise<void> {
  const { tally } = directory;
  for await (const { rows } of tables.rows('zerver_reaction')) {
    for (const row of rows) {
      const [id, message, user] = [idOf(row, 'id'), idOf(row, 'message'), idOf(row, 'user_profile')];
      const emoji = emojiOf(row);
      if (id === undefined || message === undefined || user === undefined || !reader.ids.has(message)) {
        tally.leaveOut('reactions', 'reaction_message');
      } else if (emoji.reaction_type === 'realm_emoji' && !hasEmoji(Number(emoji.emoji_code))) {
        tally.leaveOut('reactions', 'reaction_picture');
      } else if (!isEmoji(emoji)) tally.leaveOut('reactions', 'reaction_emoji');
      else {
        tally.keep('reactions');
        const own = { id, message_id: message, user_id: directory.need(user), ...emoji };
        await reader.addBelonging('reactions', own, id);
      }
    }
  }
}
