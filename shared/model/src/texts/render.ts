import type { Tx } from '@parley/db';
import { type Parsed, type Rendered, render } from '@parley/markdown';
import { emptyTopicDisplayName } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import { listReadableAttachments } from '../attachments/readable.ts';
import { findPagePreviews } from '../link-previews/find.ts';
import { getRules, type Rules } from '../permissions/rules.ts';
import { type TextOptions, getTextOptions } from './options.ts';
import { parseTextIn } from './outside.ts';
import { parseText, unrenderable } from './parse.ts';
import { type ResolvedText, emptyText, type TextAuthor, resolveTextReferences } from './resolve.ts';

/**
 * Returns the HTML of a parsed text with its resolved references.
 *
 * @throws BAD_REQUEST for a text that cannot be rendered
 */
export function renderParsedText(parsed: Parsed, { resolved }: ResolvedText = emptyText): Rendered {
  try {
    return render(parsed, resolved);
  } catch {
    throw unrenderable();
  }
}

/**
 * Renders a message by the actor as it is when it is sent: previews of linked pages are added later.
 *
 * @throws BAD_REQUEST for a text that cannot be rendered
 */
export async function renderMessage(tx: Tx, actor: Actor, content: string): Promise<Rendered> {
  const rules = await getRules(tx, actor.realm.id);
  const options = await getTextOptions(tx, actor, rules);
  const withoutPages = { ...options, previews: { ...options.previews, pages: false } };
  return await parseAndRender(tx, actor, content, rules, withoutPages);
}

/**
 * Returns the HTML of a text that is not a message, such as a description. It has no previews, and is empty for an
 * empty text.
 *
 * @throws BAD_REQUEST for a text that cannot be rendered
 */
export async function renderText(tx: Tx, actor: Actor, content: string): Promise<string> {
  if (content === '') return '';
  const rules = await getRules(tx, actor.realm.id);
  const options = { ...(await getTextOptions(tx, actor, rules)), previews: { images: false, pages: false } };
  return (await parseAndRender(tx, actor, content, rules, options)).html;
}

async function parseAndRender(
  tx: Tx,
  actor: Actor,
  content: string,
  rules: Rules,
  options: TextOptions,
): Promise<Rendered> {
  const parsed = await parseTextIn(tx, content, options);
  return renderParsedText(parsed, await resolveParsedText(tx, { actor, seesAll: false }, rules, parsed));
}

/** Looks up the users, groups, channels, topics and uploads that a text names, and the previews of linked pages. */
export async function resolveParsedText(
  tx: Tx,
  author: TextAuthor,
  rules: Rules,
  parsed: Parsed,
): Promise<ResolvedText> {
  const { references, pages } = parsed;
  if (parsed.isSelfContained && pages.length === 0) return emptyText;
  const uploads = await listReadableAttachments(tx, author.actor, references.uploads);
  const { people, resolved } = await resolveTextReferences(tx, author, rules, references, uploads);
  return { people, resolved: { ...resolved, pages: await findPagePreviews(tx, author.actor.realm, pages) } };
}

/**
 * Renders a text that names nothing of an organization, such as an example.
 *
 * @throws BAD_REQUEST for a text that cannot be rendered
 */
export async function renderExample(content: string, realmUrl: string): Promise<string> {
  const parsed = await parseText(content, {
    authorId: 0,
    vocabulary: { key: 'examples', linkifiers: [], emoji: new Map() },
    realmUrl,
    emptyTopicName: emptyTopicDisplayName,
    translateEmoticons: false,
    defaultCodeLanguage: null,
    previews: { images: false, pages: false },
  });
  return renderParsedText(parsed).html;
}
