import { useFragment } from '../router/fragment.ts';
import { readNarrow } from '../router/narrow.ts';
import { MessageList } from './message-list.tsx';

const everything = { terms: [], near: null };

/** The messages that the fragment asks for. */
export function MessagesView() {
  const fragment = useFragment();
  const narrow = readNarrow(fragment) ?? everything;
  return <MessageList key={fragment} narrow={narrow} />;
}
