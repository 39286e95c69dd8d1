import { type Tx, tables } from '@parley/db';
import type { Linkifiers, Options, Emoji } from '@parley/markdown';
import { emptyTopicDisplayName } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';

import { type Actor, isBot } from '../actor.ts';
import { extraEmoji } from '../emoji/extra.ts';
import { emojiUrl, extraEmojiUrl } from '../emoji/state.ts';
import { unicodeEmojiNameOf, findUnicodeEmojiCode } from '../emoji/unicode.ts';
import { getCompiledLinkifiers } from '../linkifiers/find.ts';
import type { Rules } from '../permissions/rules.ts';

/** An organization's own linkifiers and emoji. */
interface Vocabulary {
  linkifiers: Linkifiers;
  /** The image URLs of its custom emoji by name. */
  emoji: ReadonlyMap<string, string>;
}

/** Vocabularies by version of a realm's rules: every change of linkifiers or emoji raises the version. */
const vocabularies = new LRUCache<string, Vocabulary>({ max: 500 });

async function getVocabulary(tx: Tx, { realm }: Actor, rules: Rules): Promise<Vocabulary> {
  const key = `${realm.id} ${realm.name} ${rules.version}`;
  const cached = vocabularies.get(key);
  if (cached) return cached;
  const { realmEmoji } = tables;
  const active = and(eq(realmEmoji.realmId, realm.id), eq(realmEmoji.isDeactivated, false));
  const rows = await tx.select().from(realmEmoji).where(active);
  const vocabulary = {
    linkifiers: await getCompiledLinkifiers(tx, realm.id),
    emoji: new Map(rows.map(({ name, path }) => [name, emojiUrl(realm.id, path)])),
  };
  vocabularies.set(key, vocabulary);
  return vocabulary;
}

/** The options for parsing a text by this author, by the rules of the organization. */
export async function getTextOptions(tx: Tx, author: Actor, rules: Rules): Promise<Options> {
  const { linkifiers, emoji } = await getVocabulary(tx, author, rules);
  const { default_code_block_language, inline_image_preview, inline_url_embed_preview } = rules.settings;
  return {
    linkifiers,
    realmUrl: author.realm.url,
    emptyTopicName: emptyTopicDisplayName,
    translateEmoticons: author.settings.translate_emoticons,
    defaultCodeLanguage: default_code_block_language || null,
    // Links that bots send get no page previews: there are too many that nobody looks at.
    previews: { images: inline_image_preview, pages: inline_url_embed_preview && !isBot(author) },
    emoji: (name) => findEmoji(name, emoji),
    emojiNameOf: unicodeEmojiNameOf,
    proxy: (url) => url,
  };
}

/** The emoji of a name. The organization's custom emoji come first, then the server's, then Unicode. */
function findEmoji(name: string, customEmoji: ReadonlyMap<string, string>): Emoji | undefined {
  const src = customEmoji.get(name) ?? (name === extraEmoji.name ? extraEmojiUrl : undefined);
  if (src !== undefined) return { src };
  const code = findUnicodeEmojiCode(name);
  return code === undefined ? undefined : { code };
}
