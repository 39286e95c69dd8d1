import { slice } from '../../data/live/state.ts';
import type { Target } from '../../data/writing/target.ts';
import { warningText } from '../../strings/compose.ts';

/** What a writer should know before a message goes, in the order of weight. `isGrave`: it is asked about. */
export interface Warning {
  text: string;
  isGrave: boolean;
}

/** Mentions of everyone, outside of code. */
export const mentionsAll = (content: string): boolean =>
  /(?:^|[\s([{"'])@\*\*(?:all|everyone|channel|stream|topic)\*\*/.test(
    content.replaceAll(/(`{3,})[^]*?\1|`[^`\n]*`/g, ' '),
  );

/** Warnings about a message to a target. The state that they rest on is read as components read it. */
export function warningsOf(target: Target, content: string): Warning[] {
  const warnings: Warning[] = [];
  if (target.kind === 'direct') {
    const gone = target.userIds.filter((id) => !slice('users').has(id));
    if (gone.length > 0) warnings.push({ text: warningText.deactivated, isGrave: false });
    return warnings;
  }
  const { channelId } = target;
  if (channelId === null) return warnings;
  const channel = slice('subscriptions').get(channelId) ?? slice('channels').get(channelId);
  if (channel?.is_archived === true) {
    warnings.push({ text: warningText.archived(channel.name), isGrave: false });
  } else if (!slice('subscriptions').has(channelId)) {
    warnings.push({
      text: warningText.notSubscribed,
      isGrave: false,
    });
  }
  const count = channel?.subscriber_count ?? 0;
  if (count > 2 && mentionsAll(content)) {
    warnings.push({ text: warningText.manyPeople(count), isGrave: true });
  }
  return warnings;
}
