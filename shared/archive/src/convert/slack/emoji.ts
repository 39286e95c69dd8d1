import { customEmojiName, emojiCodeOf, pictureExtension } from '../emoji.ts';
import type { ForeignEmoji } from '../foreign.ts';
import type { GivenFiles } from '../given-files.ts';
import { isObject } from '../json.ts';
import type { Organization } from '../organization.ts';

/** Returns the emoji that a name of Slack stands for. */
export type EmojiFinder = (name: string) => ForeignEmoji;

/** How often one name stands for another. */
const aliasesMax = 5;

/** Reads the list of custom emoji, and the pictures of those that were given. */
export async function readEmoji(
  organization: Organization,
  given: GivenFiles,
  content: unknown,
): Promise<EmojiFinder> {
  const list = isObject(content) && isObject(content['emoji']) ? content['emoji'] : content;
  const targets = new Map(
    Object.entries(isObject(list) ? list : {}).flatMap(([name, target]) =>
      typeof target === 'string' ? [[name, target] as const] : [],
    ),
  );
  for (const [name, target] of targets) {
    if (!target.startsWith('alias:')) await addPicture(organization, given, name);
  }
  const find = (name: string, depth = 0): ForeignEmoji => {
    const target = targets.get(name);
    if (target?.startsWith('alias:') === true && depth < aliasesMax) {
      return find(target.slice('alias:'.length), depth + 1);
    }
    const code = target === undefined ? emojiCodeOf(name) : undefined;
    return code === undefined ? { custom: customEmojiName(name) ?? '' } : { code };
  };
  return (name) => find(name.split('::')[0] ?? '');
}

async function addPicture(organization: Organization, given: GivenFiles, name: string): Promise<void> {
  const { emoji, tally } = organization;
  const own = customEmojiName(name);
  const picture = await given.readEmoji(name);
  const extension = picture && pictureExtension(picture);
  if (own === undefined) return tally.leaveOut('emoji', 'emoji_name');
  if (emoji.has(own)) return tally.leaveOut('emoji', 'emoji_name_taken');
  if (!picture || extension === undefined) return tally.leaveOut('emoji', 'emoji_not_given');
  organization.addEmoji({ name: own, extension, content: picture });
}
