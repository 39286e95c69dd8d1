import { limits } from '@parley/protocol';

import { customEmojiName, emojiCodeOf, pictureExtension } from '../emoji.ts';
import type { ForeignEmoji } from '../foreign.ts';
import { type Json, listOf, stringOf } from '../json.ts';
import type { Organization } from '../organization.ts';
import type { Dump } from './dump.ts';
import { GridFiles } from './grid-files.ts';

/** Returns the emoji that a name of Rocket.Chat stands for. */
export type EmojiFinder = (name: string) => ForeignEmoji;

const pictureBytesMax = limits.pictureMebibytes * 1024 * 1024;

/** Adds the custom emoji of a server, whose other names stand for the same. */
export async function addEmoji(organization: Organization, dump: Dump): Promise<EmojiFinder> {
  const listed = new Map<string, Json>();
  for await (const batch of dump.read('rocketchat_custom_emoji')) {
    for (const { document } of batch) listed.set(stringOf(document['name']), document);
  }
  const own = new Map<string, string>();
  if (listed.size > 0) await addPictures(organization, dump, listed, own);
  return (name) => {
    const plain = name.replaceAll(':', '');
    const custom = own.get(plain);
    if (custom !== undefined) return { custom };
    const code = emojiCodeOf(plain.replace(/_tone[1-5]$/, ''));
    return code === undefined ? { custom: '' } : { code };
  };
}

async function addPictures(
  organization: Organization,
  dump: Dump,
  listed: ReadonlyMap<string, Json>,
  own: Map<string, string>,
): Promise<void> {
  const options = { dump, bucket: 'custom_emoji', bytesMax: pictureBytesMax, isWritten: true } as const;
  const pictures = await GridFiles.read(options);
  const missing = new Map(listed);
  for await (const { name: file, content } of pictures.contents()) {
    const name = decoded(file).replace(/\.\w+$/, '');
    const about = missing.get(name);
    if (!about) continue;
    missing.delete(name);
    const named = customEmojiName(name);
    const extension = pictureExtension(content);
    if (named === undefined || extension === undefined) {
      organization.tally.leaveOut('emoji', named === undefined ? 'emoji_name' : 'emoji_kind');
      continue;
    }
    organization.addEmoji({ name: named, extension, content });
    for (const one of [name, ...aliasesOf(about)]) own.set(one, named);
  }
  organization.tally.leaveOut('emoji', 'emoji_not_there', missing.size);
}

/** Returns the other names of an emoji: a list, in earlier versions a text. */
const aliasesOf = ({ aliases }: Json): string[] =>
  (typeof aliases === 'string' ? aliases.split(',') : listOf(aliases).map(stringOf))
    .map((name) => name.trim())
    .filter(Boolean);

/** Returns the name of a file, which is written as in an address. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
