import type { Tx, UserRow } from '@parley/db';
import { escapeHtml, rendererVersion } from '@parley/markdown';
import { type Actor, type Realm, actorOf } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';

/** A text of which HTML is made, as its author would have written it here. */
export interface Text {
  id: number;
  authorId: number | null;
  content: string;
  writtenAt: Date;
}

/** Accounts that are remembered. */
const authorsMax = 10_000;
/** How often a text is tried for which the machine has no time. */
const attemptsMax = 5;

/** Makes HTML of the texts of a realm, by the same means as the API. Nothing of it is taken from an archive. */
export class Renderer {
  readonly #tx: Tx;
  readonly #realm: Realm;
  readonly #authors = new Map<number, UserRow>();

  constructor(tx: Tx, realm: Realm) {
    this.#tx = tx;
    this.#realm = realm;
  }

  /**
   * Returns the HTML of messages by id, with the previews of pages that are known or without any. Of those that name nothing
   * if `alone`: they are the same whatever else is there.
   */
  async renderMessages(
    texts: readonly Text[],
    { alone = false, pages = true }: { alone?: boolean; pages?: boolean } = {},
  ): Promise<Map<number, string>> {
    const [first] = texts;
    if (!first) return new Map();
    await this.#readAuthors(texts);
    const rules = await model.permissions.getRules(this.#tx, this.#realm.id);
    // What all of them share is read once, and remembered for the others.
    await model.texts.getTextOptions(this.#tx, this.#author(first).actor, rules);
    const rendered = await Promise.all(
      texts.map(async (text) => {
        const author = this.#author(text);
        const general = await model.texts.getTextOptions(this.#tx, author.actor, rules);
        // Texts of one author do not wait for each other: nobody else uses this process.
        const options = { ...general, authorId: text.id };
        if (!pages) options.previews = { ...options.previews, pages: false };
        const html = await orPlain(text, async () => {
          const parsed = await model.texts.parseText(text.content, options, text.writtenAt);
          if (alone && (!parsed.isSelfContained || parsed.pages.length > 0)) return null;
          const resolved = alone
            ? undefined
            : await model.texts.resolveParsedText(this.#tx, author, rules, parsed);
          return model.texts.renderParsedText(parsed, resolved).html;
        });
        return [text.id, html] as const;
      }),
    );
    return new Map(rendered.flatMap(([id, html]) => (html === null ? [] : [[id, html] as const])));
  }

  /** Returns the HTML of a text that is not a message, such as a description. */
  async renderText(text: Text): Promise<string> {
    if (text.content === '') return '';
    await this.#readAuthors([text]);
    const { actor } = this.#author(text);
    return (await orPlain(text, () => model.texts.renderText(this.#tx, actor, text.content))) ?? '';
  }

  async #readAuthors(texts: readonly Text[]): Promise<void> {
    const ids = new Set(texts.flatMap(({ authorId }) => (authorId === null ? [] : [authorId])));
    const unknown = [...ids].filter((id) => !this.#authors.has(id));
    if (unknown.length === 0) return;
    if (this.#authors.size > authorsMax) this.#authors.clear();
    const known = [...ids].filter((id) => !this.#authors.has(id));
    for (const row of await model.users.listUsers(this.#tx, this.#realm.id, known)) {
      this.#authors.set(row.id, row);
    }
  }

  #author({ authorId }: Text): { actor: Actor; seesAll: boolean } {
    const row = authorId === null ? undefined : this.#authors.get(authorId);
    return row
      ? { actor: actorOf(row, this.#realm), seesAll: row.isSystem }
      : { actor: model.realms.operatorOf(this.#realm), seesAll: false };
  }
}

export const currentVersion = rendererVersion;

/** Runs what renders a text. One that cannot be rendered is shown as it is written. */
async function orPlain<Html>({ content }: Text, render: () => Promise<Html>): Promise<Html | string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await render();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== 'SERVER_NOT_READY' || attempt === attemptsMax)
        return `<p>${escapeHtml(content)}</p>`;
    }
  }
}
