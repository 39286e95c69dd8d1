import { showToast, showError } from '../../base/toasts/toasts.tsx';
import { characterOf } from '../../data/emoji/character.ts';
import { hasState, peek } from '../../data/live/state.ts';
import { showProfile } from '../../data/people/shown-profile.ts';
import { momentOf } from '../../data/places/times.ts';
import { isSpectator } from '../../data/session/session.ts';
import { contentText } from '../../strings/messages.ts';
import { type Playground, playgroundAddress, playgroundsFor } from './playgrounds.ts';

/**
 * Adds to a rendered text what the server leaves to clients: buttons of spoilers and code, local times, links, and what
 * stands for a picture that does not come.
 */
export function complete(root: HTMLElement): void {
  for (const spoiler of root.querySelectorAll<HTMLElement>('.spoiler-block')) completeSpoiler(spoiler);
  for (const code of root.querySelectorAll<HTMLElement>('.codehilite')) completeCode(code);
  for (const time of root.querySelectorAll<HTMLTimeElement>('time[datetime]')) completeTime(time);
  for (const link of root.querySelectorAll<HTMLAnchorElement>('a[href]')) completeLink(link);
  for (const picture of root.querySelectorAll('img')) {
    if (!picture.hasAttribute('alt')) picture.alt = picture.closest('a')?.title || contentText.picture;
    // Only what is near the view is on the page, and a picture whose size is known moves nothing when it comes.
    picture.loading = completeSize(picture) ? 'eager' : 'lazy';
    picture.addEventListener('error', () => replaceMissing(picture), { once: true });
  }
  markOwnMentions(root);
  for (const mention of root.querySelectorAll<HTMLElement>('.user-mention[data-user-id]')) {
    completeMention(mention);
  }
  // What is wider than the page scrolls by keys too.
  for (const wide of root.querySelectorAll<HTMLElement>('pre, .katex-display, table')) wide.tabIndex = 0;
}

const button = (name: string, text: string): HTMLButtonElement => {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = name;
  made.textContent = text;
  return made;
};

/** The most that a picture in a message takes, in pixels. */
const pictureMax = { width: 420, height: 280 };

/** Gives a picture the size that it will have, so that nothing moves when it comes. Returns whether that is known. */
function completeSize(picture: HTMLImageElement): boolean {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(picture.dataset['originalDimensions'] ?? '') ?? [];
  const size = { width: Number(width), height: Number(height) };
  if (!(size.width > 0 && size.height > 0)) return false;
  const scale = Math.min(1, pictureMax.width / size.width, pictureMax.height / size.height);
  picture.width = Math.max(1, Math.round(size.width * scale));
  picture.height = Math.max(1, Math.round(size.height * scale));
  return true;
}

/** Draws an emoji in the place of its name, which stays the name that screen readers say; or shows the name. */
export function completeEmoji(emoji: HTMLElement, set: 'drawn' | 'text'): void {
  const code = [...emoji.classList].find((name) => name.startsWith('emoji-'))?.slice('emoji-'.length);
  const character = set === 'text' ? '' : characterOf(code ?? '');
  emoji.textContent = character || `:${(emoji.title || emoji.textContent).replaceAll(' ', '_')}:`;
}

function completeSpoiler(spoiler: HTMLElement): void {
  const [header, content] = spoiler.children;
  if (!(header instanceof HTMLElement) || !(content instanceof HTMLElement)) return;
  if (spoiler.querySelector(':scope > .spoiler-header > .spoiler-toggle')) return;
  if (header.textContent.trim() === '') header.append(contentText.spoiler);
  const toggle = button('spoiler-toggle', contentText.show);
  const show = (isShown: boolean) => {
    content.hidden = !isShown;
    content.setAttribute('aria-hidden', String(!isShown));
    toggle.setAttribute('aria-expanded', String(isShown));
    toggle.textContent = isShown ? contentText.hide : contentText.show;
  };
  show(false);
  toggle.addEventListener('click', () => show(content.hidden !== false));
  header.append(toggle);
}

/** Says that a picture did not come. In a link, it still leads to where the picture should be. */
function replaceMissing(picture: HTMLImageElement): void {
  const address = picture.closest('a')?.href ?? picture.dataset['originalSrc'] ?? picture.src;
  const name = picture.closest('a')?.title || decodeURI(address.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '');
  const note = document.createElement('span');
  note.className = 'missing-picture';
  note.textContent = contentText.missing(name || picture.alt);
  picture.replaceWith(note);
}

function completeCode(block: HTMLElement): void {
  if (block.querySelector(':scope > .code-copy')) return;
  const copy = button('code-copy', contentText.copy);
  const text = block.querySelector('pre')?.textContent ?? '';
  copy.addEventListener('click', () => {
    navigator.clipboard
      .writeText(text)
      .then(() => showToast(contentText.copied))
      .catch(showError);
  });
  block.append(copy);
  addPlaygrounds(block, text);
}

/** Adds links to where the organization lets code in this language be tried. */
function addPlaygrounds(block: HTMLElement, code: string): void {
  const all = hasState() ? ((peek().own['realm_playgrounds'] ?? []) as Playground[]) : [];
  for (const playground of playgroundsFor(all, block.dataset['codeLanguage'] ?? '')) {
    const address = playgroundAddress(playground, code);
    if (address === null) continue;
    const link = document.createElement('a');
    link.className = 'code-playground';
    link.href = address;
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    link.textContent = contentText.openIn(playground.name);
    block.append(link);
  }
}

function completeTime(time: HTMLTimeElement): void {
  const seconds = Date.parse(time.dateTime) / 1000;
  if (!Number.isFinite(seconds)) return;
  time.title = time.textContent;
  time.textContent = momentOf(seconds);
}

/** Mentions of the reader look different from those of others: by name, by a group, and as one of all. */
function markOwnMentions(root: HTMLElement): void {
  if (!hasState() || isSpectator()) return;
  const { own, groups } = peek();
  for (const mention of root.querySelectorAll<HTMLElement>(
    '.user-mention, .user-group-mention, .topic-mention',
  )) {
    const { userId, userGroupId } = mention.dataset;
    const isOwn =
      userGroupId === undefined
        ? userId === undefined || userId === '*' || Number(userId) === own.user_id
        : groups.get(Number(userGroupId))?.members.has(own.user_id) === true;
    mention.classList.toggle('is-own', isOwn);
    mention.classList.toggle('of-group', isOwn && Number(userId) !== own.user_id);
  }
}

/** A mention of somebody leads to their profile. */
function completeMention(mention: HTMLElement): void {
  const id = Number(mention.dataset['userId']);
  if (!Number.isSafeInteger(id) || mention.tabIndex === 0) return;
  mention.tabIndex = 0;
  mention.setAttribute('role', 'button');
  mention.addEventListener('click', () => showProfile(id, mention));
  mention.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') showProfile(id, mention);
  });
}

/** Links of this page lead to its views; others open beside it. */
function completeLink(link: HTMLAnchorElement): void {
  const isHere = link.origin === location.origin && link.pathname === '/';
  if (isHere && link.hash !== '') link.setAttribute('href', link.hash);
  else if (link.protocol.startsWith('http')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
}
