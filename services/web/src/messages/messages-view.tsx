import { Compose } from '../compose/compose.tsx';
import { useFragment } from '../router/fragment.ts';
import { readNarrow } from '../router/narrow.ts';
import { isSpectator } from '../session/session.ts';
import { MessageList } from './message-list.tsx';

const everything = { terms: [], near: null };

/** The messages that the fragment asks for, and where one writes to them. */
export function MessagesView() {
  const fragment = useFragment();
  const narrow = readNarrow(fragment) ?? everything;
  return (
    <>
      <MessageList key={fragment} narrow={narrow} />
      {!isSpectator() && <Compose narrow={narrow} />}
    </>
  );
}
