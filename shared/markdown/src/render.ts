import type { InternalLink, Mention } from './atoms.ts';
import { attributes, escapeHtml } from './escape.ts';
import { channelHash, messageHash, topicHash } from './hash.ts';
import { type TextPart, Unrenderable, htmlLengthMax } from './html-template.ts';
import type { Parsed } from './parse.ts';
import { type Preview, isImage, pageHtml, uploadHtml } from './previews.ts';
import { type Resolved, nothingResolved } from './resolved.ts';

/** The version of the renderer. It is raised with every change of the HTML that a text becomes. */
export const rendererVersion = 3;

export interface Rendered {
  html: string;
  /**
   * Users and groups who are notified of a mention. Silent mentions, mentions in quotes, and mentions of deactivated
   * users and groups are not among them.
   */
  mentions: {
    users: number[];
    groups: number[];
    /** Groups that the author mentions without permission. They are shown as silent mentions. */
    forbiddenGroups: number[];
    channel: boolean;
    topic: boolean;
  };
  /** Path ids of the uploads that the text links to, as far as they exist and its author may read them. */
  uploads: string[];
  /** Addresses of pages whose previews may be shown below the text once they are known. */
  pages: string[];
  hasLink: boolean;
  hasImage: boolean;
  hasAttachment: boolean;
  /** The plain text that a reader sees. */
  text: string;
}

/**
 * Returns the HTML of a parsed text.
 *
 * @throws {Unrenderable} if the HTML would be too long
 */
export function render(
  { parts, links, uploads, isSelfContained, pages, showsPreviews, emptyTopicName }: Parsed,
  resolved: Resolved = nothingResolved,
): Rendered {
  const page = new Output(isSelfContained ? nothingResolved : resolved, emptyTopicName);
  for (const part of parts) {
    if (part.kind !== 'preview') page.add(part);
    else page.addPreview(showsPreviews ? previewHtml(part.preview, resolved) : null, part.replaced);
  }
  const shownUploads = [...uploads].filter((pathId) => resolved.uploads.has(pathId));
  if (page.html.length > htmlLengthMax) throw new Unrenderable();
  return {
    html: page.html.trimEnd(),
    mentions: {
      users: [...page.users],
      groups: [...page.groups],
      forbiddenGroups: [...page.forbiddenGroups],
      channel: page.channel,
      topic: page.topic,
    },
    uploads: shownUploads,
    pages,
    hasLink: links.size > 0,
    hasImage: [...links].some(isImage),
    hasAttachment: shownUploads.length > 0,
    text: page.text.trimEnd(),
  };
}

/** The HTML of a preview; null if there is nothing to show. */
function previewHtml(preview: Preview, { uploads, pages }: Resolved): string | null {
  if (preview.kind === 'upload') return uploadHtml(preview, uploads.get(preview.pathId));
  if (preview.kind === 'html')
    return preview.pathId === null || uploads.has(preview.pathId) ? preview.html : null;
  const facts = pages.get(preview.href);
  return facts ? pageHtml(preview.href, facts) : null;
}

const lowerCased = (name: string) => name.toLowerCase();

/** The results of the look-ups by name. If several have one name, the last one counts. */
class ResolvedNames {
  readonly #users;
  readonly #usersById;
  readonly #groups;
  readonly #channels;
  readonly #topics;

  constructor({ users, groups, channels, topics }: Resolved) {
    this.#users = new Map(users.map((user) => [lowerCased(user.name), user]));
    this.#usersById = new Map(users.map((user) => [user.id, user]));
    this.#groups = new Map(groups.map((group) => [lowerCased(group.name), group]));
    this.#channels = new Map(channels.map((channel) => [lowerCased(channel.name), channel]));
    this.#topics = new Map(
      topics.map(({ channelId, topic, messageId }) => [`${channelId}>${lowerCased(topic)}`, messageId]),
    );
  }

  user({ name, id }: Mention & { kind: 'user' }) {
    if (id === null) return this.#users.get(lowerCased(name));
    const user = this.#usersById.get(id);
    return user && (name === '' || lowerCased(user.name) === lowerCased(name)) ? user : undefined;
  }

  group = (name: string) => this.#groups.get(lowerCased(name));
  channel = (name: string) => this.#channels.get(lowerCased(name));
  latestIn = (channelId: number, topic: string) => this.#topics.get(`${channelId}>${lowerCased(topic)}`);
}

class Output {
  html = '';
  text = '';
  channel = false;
  topic = false;
  readonly users = new Set<number>();
  readonly groups = new Set<number>();
  readonly forbiddenGroups = new Set<number>();
  readonly #names: ResolvedNames;
  readonly #uploads: Resolved['uploads'];
  readonly #emptyTopicName: string;

  constructor(resolved: Resolved, emptyTopicName: string) {
    this.#names = new ResolvedNames(resolved);
    this.#uploads = resolved.uploads;
    this.#emptyTopicName = emptyTopicName;
  }

  /** Adds a preview in place of the parts that it replaces, whose text remains; if there is none, adds these parts. */
  addPreview(html: string | null, replaced: readonly TextPart[]): void {
    const { html: before } = this;
    for (const part of replaced) this.add(part);
    if (html !== null) this.html = `${before}${html}\n`;
  }

  add(part: TextPart): void {
    switch (part.kind) {
      case 'static':
        this.html += part.html;
        this.text += part.text;
        break;
      case 'user':
        this.#user(part);
        break;
      case 'group':
        this.#group(part);
        break;
      case 'wildcard':
        this.#wildcard(part);
        break;
      case 'channel':
        this.#internalLink(part);
        break;
      case 'upload': {
        const { html, text } = this.#uploads.has(part.pathId) ? part.known : part.unknown;
        this.html += html;
        this.text += text;
        break;
      }
    }
  }

  #user(part: Mention & { kind: 'user' }): void {
    const user = this.#names.user(part);
    if (!user) {
      this.#unresolved(part.source);
      return;
    }
    const silent = part.silent || !user.isActive;
    if (!silent) this.users.add(user.id);
    this.#mention('user-mention', { 'data-user-id': String(user.id) }, user.name, silent);
  }

  #group(part: Mention & { kind: 'group' }): void {
    const group = this.#names.group(part.name);
    if (!group) {
      this.#unresolved(part.source);
      return;
    }
    const isLoud = !part.silent && group.isActive;
    if (isLoud) (group.mayMention ? this.groups : this.forbiddenGroups).add(group.id);
    const silent = !isLoud || !group.mayMention;
    this.#mention(
      'user-group-mention',
      { 'data-user-group-id': String(group.id) },
      group.displayName,
      silent,
    );
  }

  #wildcard({ word, silent }: Mention & { kind: 'wildcard' }): void {
    if (word === 'topic') {
      this.topic ||= !silent;
      this.#mention('topic-mention', {}, word, silent);
    } else {
      this.channel ||= !silent;
      this.#mention('user-mention channel-wildcard-mention', { 'data-user-id': '*' }, word, silent);
    }
  }

  #mention(className: string, of: Record<string, string>, name: string, silent: boolean): void {
    const shown = silent ? name : `@${name}`;
    const all = { class: silent ? `${className} silent` : className, ...of };
    this.html += `<span${attributes(all)}>${escapeHtml(shown)}</span>`;
    this.text += shown;
  }

  #internalLink({ channel: name, topic, messageId, source, isPlain }: InternalLink): void {
    const channel = this.#names.channel(name);
    if (!channel) {
      this.#unresolved(source);
      return;
    }
    const topicHtml = topic === '' ? `<em>${escapeHtml(this.#emptyTopicName)}</em>` : escapeHtml(topic ?? '');
    const end = messageId === null ? '' : ' @ 💬';
    const html = `#${escapeHtml(channel.name)}${topic === null ? '' : ` &gt; ${topicHtml}${end}`}`;
    this.text += `#${channel.name}${topic === null ? '' : ` > ${topic || this.#emptyTopicName}${end}`}`;
    if (isPlain) {
      this.html += html;
      return;
    }
    const [className, hash] = this.#place(channel, topic, messageId);
    // For a link to a message, the URL alone identifies the channel.
    const of = messageId === null ? String(channel.id) : undefined;
    this.html += `<a${attributes({ class: className, 'data-stream-id': of, href: `/${hash}` })}>${html}</a>`;
  }

  #place(
    channel: { id: number; name: string },
    topic: string | null,
    messageId: number | null,
  ): [string, string] {
    if (topic === null) return ['stream', channelHash(channel)];
    if (messageId !== null) return ['message-link', messageHash(channel, topic, messageId)];
    const latest = this.#names.latestIn(channel.id, topic);
    return ['stream-topic', topicHash(channel, topic) + (latest === undefined ? '' : `/with/${latest}`)];
  }

  /** A name that was not found is shown as emphasised text. */
  #unresolved(source: string): void {
    const [, sign = '', stars = '', name = ''] = /^([@#]_?)(\*{1,2})(.*?)\*{1,2}$/s.exec(source) ?? [];
    const tag = stars.length === 2 ? 'strong' : 'em';
    this.html += `${sign}<${tag}>${escapeHtml(name)}</${tag}>`;
    this.text += sign + name;
  }
}
