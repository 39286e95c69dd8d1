import { own, part } from '../live/state.ts';

interface RealmEmoji {
  source_url: string;
}

/** The emoji of somebody's status, if they have one. */
export function StatusEmoji({ userId }: { userId: number }) {
  const { emoji_code, emoji_name, reaction_type, status_text } = part('statuses').get(userId) ?? {};
  if (!emoji_code || !emoji_name) return null;
  const title = status_text || emoji_name;
  if (reaction_type === 'unicode_emoji') {
    const characters = emoji_code.split('-').map((code) => Number.parseInt(code, 16));
    return (
      <span class="status-emoji" role="img" aria-label={title} title={title}>
        {String.fromCodePoint(...characters)}
      </span>
    );
  }
  const picture = (own('realm_emoji') as Record<string, RealmEmoji> | undefined)?.[emoji_code];
  if (!picture) return null;
  return (
    <img class="status-emoji" src={picture.source_url} alt={title} title={title} width="18" height="18" />
  );
}
