import type { Tx } from '@parley/db';
import { type Options, type Parsed, parse, type Rendered, render } from '@parley/markdown';
import { ApiError } from '@parley/protocol';

import type { Actor } from '../actor.ts';
import { listReadableAttachments } from '../attachments/readable.ts';
import { findPagePreviews } from '../link-previews/find.ts';
import { getRules, type Rules } from '../permissions/rules.ts';
import { getTextOptions } from './options.ts';
import { type ResolvedText, emptyText, type TextAuthor, resolveTextReferences } from './resolve.ts';

/** Whatever keeps a text from being shown, its author is told of it, and nothing happens (reference/markdown.md 1). */
function refuseUnrenderable<Result>(work: () => Result): Result {
  try {
    return work();
  } catch {
    throw new ApiError('BAD_REQUEST', 'Unable to render message');
  }
}

/** Reads a text. Refuses one that cannot be shown. */
export const parseText = (content: string, options: Options): Parsed =>
  refuseUnrenderable(() => parse(content, options));

/** Makes HTML of a text and of what was found of all that it names. */
export const renderParsedText = (parsed: Parsed, { resolved }: ResolvedText = emptyText): Rendered =>
  refuseUnrenderable(() => render(parsed, resolved));

/** What a message of this text by the actor would be when it is sent: the pages it links to are shown later. */
export async function renderMessage(tx: Tx, actor: Actor, content: string): Promise<Rendered> {
  const rules = await getRules(tx, actor.realm.id);
  const options = await getTextOptions(tx, actor, rules);
  const atFirst = { ...options, previews: { ...options.previews, pages: false } };
  return await parseAndRender(tx, actor, content, rules, atFirst);
}

/** The HTML of what is no message, such as a description: it shows nothing of what it links to. Of nothing, nothing. */
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
  options: Options,
): Promise<Rendered> {
  const parsed = parseText(content, options);
  return renderParsedText(parsed, await resolveParsedText(tx, { actor, seesAll: false }, rules, parsed));
}

/** Looks up what a text names, and what is known of the pages that it links to. */
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
