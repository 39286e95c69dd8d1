import { type Tx, tables } from '@parley/db';
import { bytesOfData, BoundedCache } from '@parley/kit';
import type { Options } from '@parley/markdown';
import { emptyTopicDisplayName } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { type Actor, isBot } from '../actor.ts';
import { emojiUrl } from '../emoji/state.ts';
import { listLinkifiers } from '../linkifiers/find.ts';
import type { Rules } from '../permissions/rules.ts';

/** An organization's own linkifiers and emoji. */
interface Vocabulary {
  /** Differs between vocabularies that differ. */
  key: string;
  linkifiers: readonly { pattern: string; urlTemplate: string }[];
  /** The image URLs of its custom emoji by name. */
  emoji: ReadonlyMap<string, string>;
}

/** How an author's texts are parsed. It is plain data, so that it can be passed from one thread to another. */
export interface TextOptions extends Pick<
  Options,
  'realmUrl' | 'emptyTopicName' | 'translateEmoticons' | 'defaultCodeLanguage' | 'previews'
> {
  authorId: number;
  vocabulary: Vocabulary;
}

/** Vocabularies by version of a realm's rules: every change of linkifiers or emoji raises the version. */
const vocabularies = new BoundedCache<string, Vocabulary>('vocabularies', { bytesOf: bytesOfData });

async function getVocabulary(tx: Tx, { realm }: Actor, rules: Rules): Promise<Vocabulary> {
  const key = `${realm.id} ${realm.name} ${rules.version}`;
  const cached = vocabularies.get(key);
  if (cached) return cached;
  const { realmEmoji } = tables;
  const active = and(eq(realmEmoji.realmId, realm.id), eq(realmEmoji.isDeactivated, false));
  const [rows, linkifiers] = await Promise.all([
    tx.select().from(realmEmoji).where(active),
    listLinkifiers(tx, realm.id),
  ]);
  const vocabulary = {
    key,
    linkifiers: linkifiers.map(({ pattern, urlTemplate }) => ({ pattern, urlTemplate })),
    emoji: new Map(rows.map(({ name, path }) => [name, emojiUrl(realm.id, path)])),
  };
  vocabularies.set(key, vocabulary);
  return vocabulary;
}

/** Returns the options for parsing a text by this author, by the rules of the organization. */
export async function getTextOptions(tx: Tx, author: Actor, rules: Rules): Promise<TextOptions> {
  const { default_code_block_language, inline_image_preview, inline_url_embed_preview } = rules.settings;
  return {
    authorId: author.id,
    vocabulary: await getVocabulary(tx, author, rules),
    realmUrl: author.realm.url,
    emptyTopicName: emptyTopicDisplayName,
    translateEmoticons: author.settings.translate_emoticons,
    defaultCodeLanguage: default_code_block_language || null,
    // Links that bots send get no page previews: there are too many that nobody looks at.
    previews: { images: inline_image_preview, pages: inline_url_embed_preview && !isBot(author) },
  };
}
